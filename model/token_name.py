"""The name of a token in a sentence."""

from __future__ import annotations


class TokenName(str):
    """A token as a sentence names it: in quotes, and with its position if it needs one.

    It is what English says; other languages make their own of its parts.
    """

    __slots__ = ("position", "token")
    token: str
    position: int | None

    def __new__(cls, token: str, position: int | None = None) -> TokenName:
        name = super().__new__(cls, f"“{token}”" + ("" if position is None else f" at {position}"))
        name.token, name.position = token, position
        return name

    def __reduce__(self) -> tuple[type[TokenName], tuple[str, int | None]]:
        return TokenName, (self.token, self.position)
