"""The independent checker: it imports nothing of ours and believes no file.

A proof of a rule, in reading order:

* `reading`: what a certificate claims, every value looked at before it is used;
* `scene`: one drawing in its poses, with one forbidden move, laid out as cells, ports
  and doors;
* `views`: all lawful states of a cell and its four edges;
* `curves`, `ports`, `rim`: what a world cannot have beyond one cell: loops, sealed
  areas, crossing pieces, corners in the wrong place;
* `clauses`: which names there are, and whether a clause holds in every world;
* `whole`: a certificate from beginning to end, and how a proof is followed;
* `describe`: what was proved, in words.

`family` and `chain` check bounds for every distance. `position`, `dead` and `reason`
check positions: completions, and why a position or a move is dead.
"""
