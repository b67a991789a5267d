"""The independent checker: it imports nothing of ours and believes no file.

A proof of a rule, in reading order:

* `claim`: the drawings, what they claim, each value checked before it is used;
* `scene`: one drawing in its poses, with one forbidden move, seen through a window;
* `views`: all lawful states of a cell and its four edges;
* `clauses`: which names there are, and whether a clause holds in every world: loops,
  sealed areas, crossing pieces, corners in the wrong place;
* `proof`: a certificate from beginning to end, and how a proof is followed.

`family` checks bounds for every distance. `position` and `dead` check positions:
completions, and why a position is dead.
"""
