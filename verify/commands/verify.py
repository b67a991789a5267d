"""`oneway verify`: rules tested at completable positions of boards."""

from dataclasses import asdict
from pathlib import Path

from typer import Exit, Option

from heuristic.rule import RuleSet, related_oracles
from solver.board import Board, Position
from solver.errors import NoWalkError, OptionError
from solver.oracles.oracle import (
    ORACLE_NAMES,
    Oracle,
    Verdict,
    decide_moves,
    get_oracle,
)
from verify.commands import console, options
from verify.corpus.cases import corpus_folder, origin_of, save_case
from verify.corpus.faults import make_case
from verify.display import gap_sentence, move_lines
from verify.evidence.evidence import EXHAUSTIVE, Evidence, Example, trials
from verify.formatting import counted

SAMPLED = 2000  # positions of larger boards by default
QUICK = 1681  # open cells up to which `sat` samples positions in seconds: 41x41


def verify(
    rules: options.RulesBoards = None,
    count: int | None = options.count(None, "Random positions, instead of all."),
    boards: options.BoardKind = None,
    save: options.Save = False,
    corpus: options.Corpus = None,
    oracle: str | None = Option(None, help=f"{ORACLE_NAMES}; default: sat."),
    seed: options.Seed = 0,
    jobs: options.Jobs = options.CORES,
    as_json: options.Json = False,
) -> None:
    """Test rules at completable positions of boards.

    On boards of up to 49 cells `oneway` tests every completable position, on larger
    boards 2,000 random ones. The default boards are 5 and 7. A rule is *unsound* if it
    ever forbids a completable move. The smallest such position is printed, and so is
    the first gap: a completable position where the rules allow a dead move.

    Exit code 1 if a rule is unsound. Gaps do not count.

    \b
    With rules of your own:
      oneway verify my-rule.toml 9 --save
    A Python rule:
      oneway verify my_rules.py:corner_ahead 5
    """
    words, places = options.rules_and_boards(rules)
    sound = True
    for place in places or [Board.square(5), Board.square(7)]:
        rule_set = options.rules_for_board(words or options.SEED_5, place, boards)
        judge = oracle_for(rule_set, place, oracle)
        if judge.decide(Position(place)).verdict is Verdict.DEAD:
            raise NoWalkError(place.notation)
        number = count
        if count is None and place.open_cells > EXHAUSTIVE:
            number = SAMPLED
            sampled = f"{SAMPLED:,} random positions; -n samples more"
            console.note(f"{place.notation}: {sampled}")
        run = trials([rule_set.name], [(place.notation, judge.name, number)], seed=seed)
        (evidence,) = console.conduct(run, jobs)
        sound &= evidence.sound
        if as_json:
            about = {"sound": evidence.sound, "complete": evidence.complete}
            rows = [asdict(rule) | {"verdict": rule.verdict} for rule in evidence.rules]
            console.emit(asdict(evidence) | {"rules": rows} | about)
        else:
            print_evidence(evidence, rule_set, judge)
        if save:
            for path, new in save_faults(evidence, rule_set, judge, corpus):
                console.say_written(f"case {console.saved(path, new)}", as_json)
    raise Exit(0 if sound else 1)


def oracle_for(rule_set: RuleSet, board: Board, name: str | None) -> Oracle:
    """Return the oracle of that name, or the default oracle of rules and board.

    The default is `sat`, which shares nothing with any rule. On a large board it is
    `search`, unless the rules use its kernels. Both sample the same positions.

    Raises `OptionError` if the oracle of that name shares kernels with the rules.
    """
    related = related_oracles(rule_set)
    if name in related or (name == "auto" and related):
        why = "shares its kernels with these rules; use --oracle sat"
        raise OptionError(f"oracle {name!r} {why}")
    if name is None:
        large = board.open_cells > QUICK and "search" not in related
        name = "search" if large else "sat"
    return get_oracle(name)


def print_evidence(evidence: Evidence, rule_set: RuleSet, oracle: Oracle) -> None:
    """Print the table of verdicts, the first wrong positions and the first gap."""
    columns = ("name", "claim", "fired", "wrong", "caught", "only", "verdict")
    rows = [[getattr(rule, name) for name in columns] for rule in evidence.rules]
    header = ["rule", "claim", "fired", "wrong", "caught", "alone", "verdict"]
    console.table(f"{evidence.rule_set} on {evidence.scope}", header, rows)
    caught = evidence.dead_moves - evidence.missed
    positions = counted(evidence.positions, "position")
    dead = counted(evidence.dead_moves, "dead move")
    missed = f"{evidence.missed:,} missed, in {counted(evidence.gaps, 'gap')}"
    console.say(f"{positions}, {dead}: {caught:,} forbidden, {missed}")
    if silent := [rule.name for rule in evidence.rules if not rule.fired]:
        why = "no move was forbidden at any position"
        console.say(f"never fired: {', '.join(silent)}; {why}")
    for name, example in _faults(evidence):
        wrong = f"{name} forbids {' and '.join(example.moves)}, though completable:"
        console.say("", wrong if name else f"first gap: {gap_sentence(example.moves)}")
        place = example.position
        console.say_position(place)
        answers = decide_moves(oracle, place)
        console.say(*move_lines(place, rule_set.forbids(place), answers))
    if evidence.complete:
        console.say("complete: every dead move was forbidden")


def _faults(evidence: Evidence) -> list[tuple[str, Example]]:
    """Return the first wrong position of each rule, and the first gap with no rule."""
    examples = [(rule.name, rule.first_wrong) for rule in evidence.rules]
    examples.append(("", evidence.first_gap))
    return [(name, example) for name, example in examples if example]


def save_faults(
    evidence: Evidence, rule_set: RuleSet, oracle: Oracle, corpus: Path | None
) -> list[tuple[Path, bool]]:
    """Save the first gap and each rule's first wrong position, minimised."""
    folder = corpus or corpus_folder()
    origin = origin_of(rule_set.name, folder)
    source = f"oneway verify, {evidence.scope}"
    cases = [
        make_case(rule, example.position, rule_set, origin, oracle, source=source)
        for rule, example in _faults(evidence)
    ]
    return [save_case(case, folder, rule_set) for case in cases]
