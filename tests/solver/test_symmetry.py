from hypothesis import given

from solver.board import LETTERS, Position, Symmetry, canonical
from verify.strategies import boards, positions


@given(positions(boards(corners=False, max_walls=3)))
def test_images_are_positions_with_the_same_moves(position: Position) -> None:
    for symmetry in Symmetry:
        image = symmetry.position(position)
        turned = {
            LETTERS[symmetry.direction(LETTERS.index(move))]
            for move in position.options()
        }
        assert set(image.options()) == turned
        assert image.unvisited == position.unvisited


@given(positions(boards(corners=False, max_walls=3)))
def test_the_canonical_image_is_one_for_all_images(position: Position) -> None:
    assert len({canonical(s.position(position)) for s in Symmetry}) == 1


def test_the_eight_are_different() -> None:
    position = Position.parse("3x4@1,2>3,4:L")
    assert len({s.position(position) for s in Symmetry}) == 8
