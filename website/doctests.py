"""A Griffe extension: examples in docstrings are shown as code wherever they stand."""

import re
from typing import Any

import griffe

_EXAMPLE = re.compile(
    r"^>>> .*(?:\n(?!\s*\n).*)*(?:\n\n>>> .*(?:\n(?!\s*\n).*)*)*", re.M
)


def fenced(text: str) -> str:
    r"""Put the examples of a docstring into fences.

    >>> fenced("Add.\n\n>>> 1 + 1\n2\n\nMore.")
    'Add.\n\n```pycon\n>>> 1 + 1\n2\n```\n\nMore.'
    """
    return _EXAMPLE.sub(lambda found: f"```pycon\n{found[0].rstrip()}\n```", text)


class Doctests(griffe.Extension):  # type: ignore[misc] # mypy skips griffe
    """Fences the examples of every docstring that is read."""

    def on_object(self, *, obj: griffe.Object, **kwargs: Any) -> None:
        """Change the docstring of a module, class, function or attribute."""
        if obj.docstring and "Examples\n---" not in obj.docstring.value:
            obj.docstring.value = fenced(obj.docstring.value)
