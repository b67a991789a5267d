"""The one picture of the packages: rooms by their layers, as the contracts say."""

import tomllib

from solver.svg import Anchor, text_path
from website.pages import ROOT

PICTURE = ROOT / "docs/img/packages.svg"
_TOPS = ("verify", "heuristic", "solver")
_LETTER, _ROW, _WIDTH = 8, 26, 640
_FILL = {"verify": "#e9eef6", "heuristic": "#e8f3ea", "solver": "#f8efdc"}
_SAID = {
    "verify": "verify: claims and evidence",
    "heuristic": "heuristic: rules and walkers",
    "solver": "solver: exact answers, no rules",
}


def layers() -> dict[str, list[list[str]]]:
    """Return the layers of each package, top first, as the contracts state them.

    Rooms that no contract names stand in a last layer; what only begins is left out.
    """
    config = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    found: dict[str, list[list[str]]] = {}
    for contract in config["tool"]["importlinter"]["contracts"]:
        for top in contract.get("containers", ()):
            shown = [one for one in contract["layers"] if one != "__main__"]
            found[top] = [layer.split(" | ") for layer in shown]
    for top in _TOPS:
        named = {name for layer in found[top] for name in layer}
        rooms = {path.parent.name for path in (ROOT / top).glob("*/__init__.py")}
        if rest := sorted(rooms - named):
            found[top].append(rest)
    return found


def picture() -> str:
    """Return the picture as SVG; nothing in it is text that needs a font."""
    parts, y = [], 6.0
    known = layers()
    for k, top in enumerate(_TOPS):
        height = _ROW * (len(known[top]) + 1) + 10
        parts.append(
            f'<rect x="6" y="{y:g}" width="{_WIDTH - 12}" height="{height}" rx="6" '
            f'fill="{_FILL[top]}" stroke="#555555"/>'
        )
        parts.append(_words(_SAID[top], 16, y + 18, "start", 9))
        for row, layer in enumerate(known[top], 1):
            width = (_WIDTH - 40) / len(layer)
            for column, room in enumerate(layer):
                left, above = 20 + column * width, y + row * _ROW + 4
                parts.append(
                    f'<rect x="{left + 3:g}" y="{above:g}" width="{width - 6:g}" '
                    f'height="{_ROW - 6}" rx="3" fill="#ffffff" stroke="#bbbbbb"/>'
                )
                parts.append(_words(room, left + width / 2, above + 10, "middle", 7))
        y += height
        if k < len(_TOPS) - 1:
            x = _WIDTH / 2
            parts.append(
                f'<path d="M{x:g} {y + 2:g}v16m-5 -6l5 6l5 -6" fill="none" '
                'stroke="#555555" stroke-width="2"/>'
            )
            y += 22
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {y + 6:g}" '
        f'width="{_WIDTH}" height="{y + 6:g}"><title>The packages and their rooms; '
        f"imports go down</title>{''.join(parts)}</svg>\n"
    )


def _words(text: str, x: float, y: float, anchor: Anchor, height: float) -> str:
    data = text_path(text, x, y, height, anchor=anchor)
    return f'<path d="{data}" fill="none" stroke="#222222" stroke-width="1"/>'


if __name__ == "__main__":
    PICTURE.write_text(picture(), encoding="utf-8")
