"""Boards of which it is proved that no knight's tour exists, with the reason."""


def why_no_closed_tour(rows: int, cols: int) -> str | None:
    """Return why a board has no closed tour, None if it has one.

    A. J. Schwenk, Which rectangular chessboards have a knight's tour?, Mathematics
    Magazine 64 (1991): a board m x n, m at most n, has a closed tour unless m and n are
    odd, or m is 1, 2 or 4, or m is 3 and n is 4, 6 or 8. (One cell alone has none.)

    >>> why_no_closed_tour(5, 6) is None
    True
    """
    m, n = min(rows, cols), max(rows, cols)
    if m % 2 and n % 2:
        return (
            "the number of cells is odd, and every move changes colour, so no tour "
            "comes back"
        )
    if m in (1, 2):
        return f"on {m} x {n} no cell in a corner has two neighbours"
    if m == 4:
        return (
            "on 4 rows outer cells meet inner cells alone and are as many, so a closed "
            "tour would alternate outer and inner, and colours as well: it would visit "
            "the outer cells of one colour only"
        )
    if m == 3 and n in (4, 6, 8):
        return f"3 x {n} has none: Schwenk's theorem"
    return None


def why_no_open_tour(rows: int, cols: int) -> str | None:
    """Return why a board has no tour at all, None if it has one.

    Open tours of m x n, m at most n, exist except for m = 1 with n above 1, m = 2,
    m = 3 with n = 3, 5 or 6, and 4 x 4: Cull and De Curtins, Fibonacci Quarterly 16
    (1978), for 5 and more; boards of 3 and 4 rows are settled by search and induction
    (R. J. Chen's and G. Cairns' surveys tell the same).
    """
    m, n = min(rows, cols), max(rows, cols)
    if m == n == 1:
        return None
    if m == 1:
        return "on one row no knight can move"
    if m == 2:
        return "on 2 rows a knight can only go along the board and never comes back"
    if (m, n) in ((3, 3), (3, 5), (3, 6), (4, 4)):
        return f"{rows} x {cols} has none: every walk was tried"
    return None


def why_not_from(rows: int, cols: int, start: int) -> str | None:
    """Return why no tour begins in a cell, as far as one can say without trying.

    >>> why_not_from(4, 9, 0) is None
    True
    """
    row, col = divmod(start, cols)
    if rows * cols % 2 and (row + col) % 2:
        return (
            "the number of cells is odd, so a tour begins and ends on the colour of "
            "the corners, and this cell has the other"
        )
    if (rows == 4 and row in (1, 2)) or (cols == 4 and col in (1, 2)):
        return (
            "on 4 rows outer cells meet inner cells alone and are as many, so a tour "
            "begins and ends outside, or it would alternate outer and inner, and "
            "colours as well, and visit the outer cells of one colour only"
        )
    return None
