"""What the page itself says, in the languages it knows. Films in others get it in English."""

from __future__ import annotations

from collections.abc import Mapping

_ENGLISH = {
    "player": "Film",
    "play": "Play",
    "pause": "Pause",
    "back": "Previous beat",
    "next": "Next beat",
    "position": "Position in the film",
    "mode": "How it is shown",
    "through": "Play through",
    "steps": "Step by step",
    "stills": "Stills",
    "captions": "Captions",
    "sound": "Sound",
    "whole_screen": "Full screen",
    "keys": "Space, the arrow keys and a presenter's remote go from beat to beat.",
    "transcript": "Transcript",
    "details": "Pictures and numbers",
    "numbers": "Numbers",
    "numbers_of": "Numbers of",
    "what": "What",
    "value": "Value",
    "unit": "Unit",
    "download": "Download",
    "all_numbers": "All numbers of the film",
    "unplayable": "This browser cannot play the film. Its pictures and sentences are below.",
}
_GERMAN = {
    "player": "Film",
    "play": "Abspielen",
    "pause": "Anhalten",
    "back": "Ein Schritt zurück",
    "next": "Nächster Schritt",
    "position": "Stelle im Film",
    "mode": "Wie er gezeigt wird",
    "through": "Am Stück",
    "steps": "Schritt für Schritt",
    "stills": "Standbilder",
    "captions": "Untertitel",
    "sound": "Ton",
    "whole_screen": "Vollbild",
    "keys": "Leertaste, Pfeiltasten und Presenter führen von Schritt zu Schritt.",
    "transcript": "Text zum Mitlesen",
    "details": "Bilder und Zahlen",
    "numbers": "Zahlen",
    "numbers_of": "Zahlen zu",
    "what": "Was",
    "value": "Wert",
    "unit": "Einheit",
    "download": "Herunterladen",
    "all_numbers": "Alle Zahlen des Films",
    "unplayable": "Dieser Browser kann den Film nicht zeigen. Bilder und Sätze stehen darunter.",
}
_WORDS = {"en": _ENGLISH, "de": _GERMAN}


def words_in(language: str) -> tuple[str, Mapping[str, str]]:
    """The words, and the code of the language that they are in."""
    known = language if language in _WORDS else "en"
    return known, _WORDS[known]
