"""The inferences of future lines by name, as rule files and kernels know them."""

# Each says how a line is begun, made longer or joined; bits in this order.
INFERENCES = (
    "future-1x3",
    "future-1x2",
    "future-corner-pass",
    "future-step-on",
    "future-far-end-corner",
    "future-step-away",
    "future-connect",
    "future-2-side",
    "future-1-thin",
)

# What follows from the lines for the walk itself.
FOLLOW, DEAD_END = "future-follow", "future-dead-end"

LINE_RULES = (*INFERENCES, FOLLOW, DEAD_END)


def inference_bits(names: tuple[str, ...]) -> int:
    """Return the inferences among some names as bits; all nine if there are none.

    >>> inference_bits(("future-1x2", "future-l")), inference_bits(("future-l",))
    (2, 511)
    """
    bits = sum(1 << i for i, name in enumerate(INFERENCES) if name in names)
    return bits or (1 << len(INFERENCES)) - 1
