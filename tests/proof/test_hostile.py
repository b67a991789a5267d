"""Certificates that lie: names, shapes, scopes, parts; none of them is accepted."""

import json
import lzma
from pathlib import Path

import pytest

from heuristic.groups import load_rules
from heuristic.language.drawing import RuleSpec
from tests.proof.forging import forged_ports
from verify.proof.certificate import (
    check_certificate,
)


def book(name: str) -> RuleSpec:
    spec: RuleSpec = load_rules(name).rules[0].spec  # type: ignore[attr-defined]
    return spec


@pytest.mark.parametrize("name", ["count-area-across-border-c", "double-area-4-dist"])
def test_a_port_named_from_behind_refutes_nothing(name: str, tmp_path: Path) -> None:
    """Once `["p", -1, 3]` was a second name of the last port, unknown to crossings."""
    path = tmp_path / f"{name}.proof.xz"
    path.write_bytes(lzma.compress(json.dumps(forged_ports(book(name))).encode()))
    checked = check_certificate(path, {name: book(name)})
    assert checked.fault is not None
    assert "has no name p -" in checked.fault
