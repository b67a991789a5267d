"""A second checker of clausal proofs, as small as can be: DIMACS and LRAT, no RAT."""


def lrat_fault(cnf: str, proof: str) -> str | None:
    """Return the first line of a proof that does not follow, or None.

    Strict: each clause named is left with one literal, not known before, the last one
    with none; the last line is the empty clause.
    """
    clauses: dict[int, set[int]] = {}
    count = variables = 0
    for line in cnf.splitlines():
        if line.startswith("p cnf "):
            variables, count = map(int, line.split()[2:])
        elif not line.startswith("c"):
            *literals, end = map(int, line.split())
            assert end == 0
            assert all(0 < abs(literal) <= variables for literal in literals)
            clauses[len(clauses) + 1] = set(literals)
    assert len(clauses) == count
    lemma = {0}
    for line in proof.splitlines():
        number, *rest = map(int, line.split())
        if number != len(clauses) + 1 or rest[-1] != 0:
            return line
        at = rest.index(0)
        lemma, used = set(rest[:at]), rest[at + 1 : -1]
        true = {-literal for literal in lemma}
        for place, index in enumerate(used, 1):
            left = {literal for literal in clauses[index] if -literal not in true}
            if len(left) != (place < len(used)) or left & true:
                return line
            true |= left
        if not used:
            return line
        clauses[number] = lemma
    return "the last lemma is not empty" if lemma else None
