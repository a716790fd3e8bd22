"""Fonts of several scripts to test with: Noto's, under the SIL Open Font License."""

from importlib.resources import files
from pathlib import Path


def _file(package: str, name: str) -> Path:
    return Path(str(files(package))) / name


HEBREW = _file("pylopdf_fonts_he", "NotoSansHebrew-Variable.ttf")
ARABIC = _file("pylopdf_fonts_ar", "NotoSansArabic-Variable.ttf")
DEVANAGARI = _file("pylopdf_fonts_hi", "NotoSansDevanagari-Variable.ttf")
JAPANESE = _file("pylopdf_fonts_cjk", "NotoSansJP-Regular.otf")
TEXTS = {
    HEBREW: "שלום עולם טוב שלום",
    ARABIC: "السلام عليكم يا السلام",
    DEVANAGARI: "हिन्दी क्षेत्र श्री हिन्दी",
    JAPANESE: "我 思 故 我",
}
"""A text in each script, whose last word stands before."""
