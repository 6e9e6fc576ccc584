"""Amounts are integers, in minor units; percentages are exact decimals. Nothing here is a float."""

import math
from fractions import Fraction


def cents(text):
    """'-7.60' is -760."""
    sign = -1 if text.startswith("-") else 1
    whole, fraction = text.lstrip("-").split(".")
    if len(fraction) != 2:
        raise ValueError(f"{text} does not have two decimal places")
    return sign * (int(whole) * 100 + int(fraction))


def decimal(minor):
    return f"{'-' if minor < 0 else ''}{abs(minor) // 100}.{abs(minor) % 100:02d}"


def half_up(exact):
    return math.floor(exact + Fraction(1, 2))


def half_away_from_zero(exact):
    return half_up(exact) if exact >= 0 else -half_up(-exact)


def divide(total, weights):
    """By largest remainder: every part is rounded down, and each remaining cent goes to the part that lost most; among equals, to the first."""
    whole = sum(weights)
    if total == 0 or whole == 0:
        return [0 for _ in weights]
    exact = [Fraction(total) * Fraction(weight) / Fraction(whole) for weight in weights]
    parts = [math.floor(each) for each in exact]
    by_loss = sorted(range(len(parts)), key=lambda at: (parts[at] - exact[at], at))
    for at in by_loss[: total - sum(parts)]:
        parts[at] += 1
    return parts
