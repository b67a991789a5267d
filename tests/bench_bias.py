"""The bias of walking step by step, against uniform samples: a table and a plot.

``python -m tests.bench_bias OUT`` measures all walks of 5 x 5 and 7 x 7, and samples of
larger boards, in minutes. It prints a table in Markdown and writes ``OUT/bias.svg``.

A walk chooses uniformly among the completable moves of each step, c1, c2 and so on. Its
probability is 1 / (c1 c2 ...); in a uniform sample it is 1 / count. The *distance* of
the two is the largest difference that they give any set of walks. It is the mean, over
a uniform sample, of 1 - count / (c1 c2 ...) where that is above 0. A distance of 0
means equal probabilities, 1 means different walks.
"""

import argparse
from math import log2, prod, sqrt
from pathlib import Path
from typing import NamedTuple

from solver.board import Board, Position
from solver.counting.count import UniformWalks
from solver.files import make_folder, write_whole
from solver.oracles.oracle import Verdict, get_oracle

DRAWS = {9: 1000, 11: 600, 13: 400, 15: 200}


class Bias(NamedTuple):
    distance: float
    error: float  # half the 95 % interval; 0 if all walks are measured
    bits: float  # the mean of log2 (c1 c2 ... / count)
    walks: int


def exact_bias(board: Board) -> Bias:
    """Return the distance over all walks of a board; 10 s for 7 x 7."""
    walks = UniformWalks(board, seed=0)
    moves = [walks.completion(number).moves for number in range(walks.count)]
    # the completable positions are the beginnings of the walks
    after: dict[str, int] = {}
    for beginning in {walk[:k] for walk in moves for k in range(1, len(walk) + 1)}:
        after[beginning[:-1]] = after.get(beginning[:-1], 0) + 1
    choices = [prod(after[walk[:k]] for k in range(len(walk))) for walk in moves]
    return _bias(walks.count, choices, exact=True)


def sampled_bias(board: Board, draws: int, *, seed: int) -> Bias:
    """Return the distance over a uniform sample; 20 ms a walk on 13 x 13."""
    walks, oracle = UniformWalks(board, seed=seed), get_oracle("search")
    choices = []
    for _ in range(draws):
        walk = walks.draw()
        many, place = 1, Position(board)
        for move in walk.moves:
            others = [place.step(other) for other in place.options() if other != move]
            answers = [oracle.decide(other).verdict for other in others]
            many *= 1 + answers.count(Verdict.COMPLETABLE)
            place = place.step(move)
        choices.append(many)
    return _bias(walks.count, choices, exact=False)


def _bias(count: int, choices: list[int], *, exact: bool) -> Bias:
    below = [max(0.0, 1 - count / many) for many in choices]
    mean = sum(below) / len(below)
    spread = sqrt(sum((b - mean) ** 2 for b in below) / len(below) / len(below))
    bits = sum(log2(many / count) for many in choices) / len(choices)
    return Bias(mean, 0.0 if exact else 1.96 * spread, bits, len(choices))


def plot(biases: dict[int, Bias]) -> str:
    """Return a picture of the distances by side, with their 95 % intervals."""
    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 420 260" '
        'font-family="sans-serif" font-size="12">'
        '<rect width="420" height="260" fill="white"/>'
    ]
    for y, tenth in ((226 - 21.4 * tenth, tenth) for tenth in range(0, 11, 2)):
        parts.append(f'<path d="M46 {y:.1f}H410" stroke="#ddd"/>')
        parts.append(f'<text x="24" y="{y + 4:.1f}">{tenth / 10}</text>')
    line = []
    for side, bias in biases.items():
        x, y, half = 46 + 30 * (side - 4), 226 - 214 * bias.distance, 214 * bias.error
        parts.append(f'<text x="{x - 6}" y="246">{side}</text>')
        parts.append(f'<circle cx="{x}" cy="{y:.1f}" r="3.5" fill="#06c"/>')
        parts.append(f'<path d="M{x} {y - half:.1f}V{y + half:.1f}" stroke="#06c"/>')
        line.append(f"{x},{y:.1f}")
    parts.append(f'<polyline points="{" ".join(line)}" fill="none" stroke="#06c"/>')
    return "".join(parts) + "</svg>\n"


def main() -> None:
    """Measure, print the table, write the plot."""
    parser = argparse.ArgumentParser(description="Measure the bias of walking.")
    parser.add_argument("out", type=Path)
    out = parser.parse_args().out
    make_folder(out)
    print("| board | walks | distance | bits |\n| --- | --- | --- | --- |")
    biases = {}
    for side in (5, 7, *DRAWS):
        board, draws = Board.square(side), DRAWS.get(side)
        bias = sampled_bias(board, draws, seed=side) if draws else exact_bias(board)
        biases[side] = bias
        error = f" ± {bias.error:.3f}" if draws else ""
        walks = f"{'sample of' if draws else 'all'} {bias.walks:,}"
        distance = f"{bias.distance:.3f}{error} | {bias.bits:.2f}"
        print(f"| {side} x {side} | {walks} | {distance} |", flush=True)
        write_whole(out / "bias.svg", plot(biases))


def test_the_plot_has_a_point_for_each_board() -> None:
    biases = {5: exact_bias(Board.square(5)), 7: Bias(0.6, 0.1, 1.0, 10)}
    assert round(biases[5].distance, 4) == 0.2869
    assert plot(biases).count("<circle") == 2


if __name__ == "__main__":
    main()
