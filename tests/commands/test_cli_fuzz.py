"""Any text at all is read or refused, and nothing is left behind."""

from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.runner import assert_refused, run
from tests.samples import NEVER_RIGHT

FUZZ = settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
ANY = st.text(max_size=30)


def changed(text: str) -> st.SearchStrategy[str]:
    """Return `text` with a few characters cut out and others put in."""
    return st.builds(
        lambda at, cut, put: text[:at] + put + text[at + cut :],
        st.integers(0, len(text)),
        st.integers(0, 8),
        st.text(max_size=5),
    )


def refused_or_fine(args: tuple[str, ...], folder: Path) -> None:
    before = sorted(folder.rglob("*"))
    ran = run(*args)
    if ran.code == 2:
        assert_refused(ran)
        assert sorted(folder.rglob("*")) == before
    else:
        assert ran.code in (0, 1)


@FUZZ
@given(ANY.filter(lambda t: not t.startswith("-")) | changed("5@1,1>5,5!2,2:RRD"))
def test_any_notation(tmp_path: Path, text: str) -> None:
    if not text.startswith("-"):
        args = ("draw", text, "-o", str(tmp_path / "a.svg"))
        refused_or_fine(args, tmp_path)


@FUZZ
@given(changed(NEVER_RIGHT) | ANY)
def test_any_rule_file(tmp_path: Path, text: str) -> None:
    path = tmp_path / "rule.toml"
    path.write_text(text, encoding="utf-8", errors="surrogatepass")
    refused_or_fine(("check", "3:RR", "--rules", str(path)), tmp_path)


@FUZZ
@given(changed("5|1-1,1;0,1-2,1;0,1-3,1;0,1") | ANY)
def test_any_saved_path(tmp_path: Path, text: str) -> None:
    path = tmp_path / "path.txt"
    path.write_text(text, encoding="utf-8", errors="surrogatepass")
    refused_or_fine(("corpus", "add", str(path), "--dry-run"), tmp_path)


@FUZZ
@given(
    changed(
        'kind = "verdict"\nwhy = "x"\nsource = "x"\nposition = "3:R"\n'
        '[moves]\nR = "completable"\nD = "dead"\n'
    )
    | ANY
)
def test_any_case_file(tmp_path: Path, text: str) -> None:
    path = tmp_path / "case.toml"
    path.write_text(text, encoding="utf-8", errors="surrogatepass")
    refused_or_fine(("corpus", "replay", str(path)), tmp_path)
