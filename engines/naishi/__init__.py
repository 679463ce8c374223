"""Naishi, by Alex Fortineau and Mathieu Bieri."""

from engines.naishi.rules import Naishi

ENGINE = Naishi()
