"""``corr mail explain``: why a letter was read as it was."""

from __future__ import annotations

import json

from tests.cli.conftest import Desk


def test_a_letter_that_came_in_is_explained_with_what_became_of_it(desk: Desk) -> None:
    desk.new_game()
    path = desk.folder / "letter.eml"
    path.write_bytes(desk.reply("aoi@players.test", "59-26\nresing"))
    desk("mail", "receive", str(path))
    told = desk.json("mail", "explain", "1")
    assert told["stored"]["status"] == "new"
    assert told["read"] == [["59-26", "line"], ["resing", "line"]]
    assert sorted({place for _, place in told["marks"]}) == ["recipients", "references"]
    assert {rule for _, rule in told["lines"]} > {None}


def test_a_file_is_judged_as_if_it_came_now_and_nothing_changes(desk: Desk) -> None:
    desk.new_game()
    path = desk.folder / "letter.eml"
    path.write_bytes(desk.reply("aoi@players.test", "59-26"))
    before = desk.json("outbox", "list")
    told = desk.json("mail", "explain", str(path))
    assert told["judged"] == {"writer": "holder", "rule": "holder", "verdict": "play"}
    assert (desk.json("mail", "list"), desk.json("outbox", "list")) == ([], before)


def test_people_are_shown_each_line_and_the_rule_that_cut_it(desk: Desk) -> None:
    desk.new_game()
    path = desk.folder / "letter.eml"
    path.write_bytes(desk.reply("aoi@players.test", "59-26"))
    shown = desk("mail", "explain", str(path)).stdout
    assert "rule: holder" in shown
    assert "59-26" in shown
    assert "cut by" in shown


def test_what_cannot_be_explained_is_named(desk: Desk) -> None:
    missing = desk("mail", "explain", "nothing.eml")
    assert (missing.exit_code, "cannot read nothing.eml" in missing.stderr) == (1, True)
    unknown = desk("mail", "explain", "99")
    assert (unknown.exit_code, "99" in unknown.stderr) == (1, True)
    assert json.loads(desk("mail", "list", "--json").stdout) == []
