"""Ukulele, by Takahashi Makoto."""

from engines.ukulele.rules import Ukulele

ENGINE = Ukulele()
