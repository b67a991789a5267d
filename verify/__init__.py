"""Claims and evidence: verdicts, cases, reports and the command line.

>>> from verify import assert_sound
>>> assert_sound("c-shape", on=None)
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from verify.evidence.evidence import verify_exhaustive as verify_exhaustive
    from verify.proof.prove import prove_rule as prove_rule
    from verify.strategies import completable_positions as completable_positions
    from verify.testing import assert_case as assert_case
    from verify.testing import assert_complete as assert_complete
    from verify.testing import assert_corpus as assert_corpus
    from verify.testing import assert_sound as assert_sound
    from verify.testing import corpus_cases as corpus_cases

_FROM = {
    "assert_case": "testing",
    "assert_complete": "testing",
    "assert_corpus": "testing",
    "assert_sound": "testing",
    "completable_positions": "strategies",
    "corpus_cases": "testing",
    "prove_rule": "proof.prove",
    "verify_exhaustive": "evidence.evidence",
}
__all__ = [*_FROM]


def __getattr__(name: str) -> object:
    """Import the module of a name when the name is first used."""
    if name not in _FROM:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"verify.{_FROM[name]}"), name)
