"""Where the cells of a drawing land on a board."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Placement:
    """One way to lay a drawing on a board: which heading, and where cells land.

    Attributes
    ----------
    heading : int
        The direction (0 to 3: U, R, D, L) of the walk's last step.
    left, ahead : (row, col)
        The board steps for one cell to the left and one cell up the page.
    label : str
        For messages, such as ``heading U, turned cw, mirrored``.
    """

    heading: int
    left: tuple[int, int]
    ahead: tuple[int, int]
    label: str

    def on_board(self, at: tuple[int, int]) -> tuple[int, int]:
        """Return (rows down, cols right) of an offset, counted from the live end."""
        return (
            at[0] * self.left[0] + at[1] * self.ahead[0],
            at[0] * self.left[1] + at[1] * self.ahead[1],
        )
