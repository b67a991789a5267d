"""Certificates taken apart: names and numbers as lists, and back as a file has them."""

import json
import random
import re
from typing import Any

Data = dict[str, Any]

_SIGNS = "0123456789 -,_+\n\t.e٣"


def opened(data: Any) -> Data:
    """Return a file's value with names, clauses and steps as lists, a copy."""
    copy: Data = json.loads(json.dumps(data))
    for part in copy["parts"]:
        part["names"] = [_name(text) for text in part["names"]]
        lemmas, used = _lists(part.pop("lemmas")), _lists(part.pop("used"))
        part["clauses"] = _lists(part["clauses"])
        part["steps"] = [list(step) for step in zip(lemmas, used, strict=True)]
    return copy


def _lists(text: str) -> list[list[int]]:
    return [[int(x) for x in line.split()] for line in text.split("\n")]


def _name(text: str) -> list[Any]:
    word, *rest = text.split()
    return [
        word,
        *([int(y) for y in x.split(",")] if "," in x else int(x) for x in rest),
    ]


def spelled(data: Data) -> Data:
    """Return a value taken apart as a file has it; what is no list stays as it is."""
    whole = json.loads(json.dumps(data))
    for part in whole.get("parts") if type(whole.get("parts")) is list else []:
        if type(part) is not dict:
            continue
        if type(part.get("names")) is list:
            part["names"] = [_text(name) for name in part["names"]]
        if "steps" in part:
            steps = part.pop("steps")
            lists = type(steps) is list
            good = lists and all(type(x) is list and len(x) == 2 for x in steps)
            part["lemmas"] = [lemma for lemma, _ in steps] if good else steps
            part["used"] = [used for _, used in steps] if good else steps
        for key in ("clauses", "lemmas", "used"):
            if type(part.get(key)) is list:
                part[key] = "\n".join(map(_line, part[key]))
    return dict(whole)


def _line(numbers: Any) -> str:
    return " ".join(map(str, numbers)) if type(numbers) is list else str(numbers)


def _text(name: Any) -> Any:
    if type(name) is not list:
        return name
    return " ".join(",".join(map(str, x)) if type(x) is list else str(x) for x in name)


def misspelled(rng: random.Random, data: Data) -> Data:
    """Change a sign of a text of one part, or write a number in another way."""
    texts = [
        (holder, key)
        for part in data["parts"]
        for holder, keys in (
            (part, ("clauses", "lemmas", "used")),
            (part["names"], range(len(part["names"]))),
        )
        for key in keys
    ]
    holder, key = rng.choice(texts)
    text = holder[key]
    numbers = list(re.finditer(r"\d+", text))
    if rng.random() < 0.3 and numbers:
        one = rng.choice(numbers)
        other = rng.choice(["0" + one[0], "+" + one[0], one[0] + ".0", one[0] + "_0"])
        holder[key] = text[: one.start()] + other + text[one.end() :]
    else:
        at = rng.randrange(len(text) + 1)
        end = at + rng.randrange(2)
        holder[key] = text[:at] + rng.choice(_SIGNS) + text[end:]
    return data
