"""Addresses of Japanese phone companies."""

from __future__ import annotations

import pytest

from corr.core.carriers import carrier


@pytest.mark.parametrize(
    ("address", "company"),
    [
        ("taro@docomo.ne.jp", "docomo"),
        ("taro..x.@Docomo.NE.jp", "docomo"),
        ("hanako@ezweb.ne.jp", "au"),
        ("hanako@au.com", "au"),
        ("jiro@i.softbank.jp", "SoftBank"),
        ("jiro@t.vodafone.ne.jp", "SoftBank"),
        ("jiro@ymobile.ne.jp", "SoftBank"),
    ],
)
def test_an_address_of_phone_mail_is_known_by_its_domain(address: str, company: str) -> None:
    assert carrier(address) == company


@pytest.mark.parametrize("address", ["a@gmail.com", "docomo.ne.jp@example.org", "a@notdocomo.ne.jp", "", "@"])
def test_any_other_address_is_of_no_company(address: str) -> None:
    assert carrier(address) == ""
