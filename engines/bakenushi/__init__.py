"""Bakenushi, by Tomioka Katsumasa."""

from engines.bakenushi.rules import Bakenushi

ENGINE = Bakenushi()
