"""The first schema, and the triggers that keep facts and acts as they were written."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
INSTANT = sa.DateTime(timezone=True)
JSON = sa.JSON()


def upgrade() -> None:
    tables = (players, addresses, games, seats, tenures, inbound, events, outbox, posts)
    for create in (*tables, deadlines, asks, plans, audit):
        create()
    for table in ("events", "audit"):
        refuse_changes(table)


def unique_where(name: str, table: str, columns: list[str], condition: str) -> None:
    where = sa.text(condition)
    op.create_index(name, table, columns, unique=True, sqlite_where=where, postgresql_where=where)


def refuse_changes(table: str) -> None:
    if op.get_bind().dialect.name == "sqlite":
        for act in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER {table}_no_{act.lower()} BEFORE {act} ON {table} "
                f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
            )
        return
    op.execute(
        f"CREATE FUNCTION {table}_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
        f"RAISE EXCEPTION '{table} is append-only' USING ERRCODE = 'integrity_constraint_violation'; END $$"
    )
    # For each statement: TRUNCATE has no rows.
    op.execute(
        f"CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
        f"FOR EACH STATEMENT EXECUTE FUNCTION {table}_is_append_only()"
    )


def players() -> None:
    op.create_table(
        "players",
        sa.Column("id", BIG, nullable=False),
        sa.Column("handle", sa.String(), nullable=False),
        sa.Column("display_name", sa.String(), nullable=False),
        sa.Column("locale", sa.String(), nullable=False),
        sa.Column("timezone", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("settings", JSON, nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_players"),
        sa.UniqueConstraint("handle", name="uq_players_handle"),
        sa.CheckConstraint("status IN ('active', 'away', 'suspended')", name=op.f("ck_players_status")),
    )


def addresses() -> None:
    op.create_table(
        "addresses",
        sa.Column("id", BIG, nullable=False),
        sa.Column("player_id", BIG, nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("is_primary", sa.Boolean(), nullable=False),
        sa.Column("verified_at", INSTANT),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("bounces", sa.Integer(), nullable=False),
        sa.Column("last_bounce_at", INSTANT),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_addresses"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_addresses_player_id"),
        sa.UniqueConstraint("address", name="uq_addresses_address"),
        sa.CheckConstraint("state IN ('good', 'soft', 'bouncing')", name=op.f("ck_addresses_state")),
    )
    op.create_index("ix_addresses_player_id", "addresses", ["player_id"])
    unique_where("uq_addresses_primary", "addresses", ["player_id"], "is_primary")


def games() -> None:
    op.create_table(
        "games",
        sa.Column("id", BIG, nullable=False),
        sa.Column("code", sa.String(), nullable=False),
        sa.Column("engine", sa.String(), nullable=False),
        sa.Column("rules", sa.String(), nullable=False),
        sa.Column("options", JSON, nullable=False),
        sa.Column("paces", JSON, nullable=False),
        sa.Column("policy", JSON, nullable=False),
        sa.Column("seed", sa.LargeBinary()),
        sa.Column("seed_digest", sa.String()),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("phase_key", sa.String()),
        sa.Column("outcome", JSON),
        sa.Column("paused_at", INSTANT),
        sa.Column("created_by", BIG),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("started_at", INSTANT),
        sa.Column("ended_at", INSTANT),
        sa.PrimaryKeyConstraint("id", name="pk_games"),
        sa.ForeignKeyConstraint(["created_by"], ["players.id"], name="fk_games_created_by"),
        sa.UniqueConstraint("code", name="uq_games_code"),
        sa.CheckConstraint("length(seed) = 32", name=op.f("ck_games_seed")),
        sa.CheckConstraint(
            "status IN ('open', 'running', 'paused', 'held', 'over', 'void')", name=op.f("ck_games_status")
        ),
    )


def seats() -> None:
    op.create_table(
        "seats",
        sa.Column("id", BIG, nullable=False),
        sa.Column("game_id", BIG, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("alias", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_seats"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_seats_game_id"),
        sa.UniqueConstraint("game_id", "number", name="uq_seats_game_id_number"),
    )


def tenures() -> None:
    op.create_table(
        "tenures",
        sa.Column("id", BIG, nullable=False),
        sa.Column("game_id", BIG, nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("player_id", BIG),
        sa.Column("key", sa.LargeBinary(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("from_at", INSTANT, nullable=False),
        sa.Column("to_at", INSTANT),
        sa.Column("from_seq", sa.Integer(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_tenures"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_tenures_game_id"),
        sa.ForeignKeyConstraint(
            ["game_id", "seat"], ["seats.game_id", "seats.number"], name="fk_tenures_game_id_seat"
        ),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_tenures_player_id"),
        sa.CheckConstraint("kind IN ('player', 'sitter', 'bot', 'dummy')", name=op.f("ck_tenures_kind")),
    )
    op.create_index("ix_tenures_player_id", "tenures", ["player_id"])
    unique_where("uq_tenures_open", "tenures", ["game_id", "seat"], "to_at IS NULL")


def inbound() -> None:
    op.create_table(
        "inbound",
        sa.Column("id", BIG, nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("mailbox", sa.String()),
        sa.Column("uidvalidity", BIG),
        sa.Column("uid", BIG),
        sa.Column("message_id", sa.String()),
        sa.Column("content_key", sa.String(), nullable=False),
        sa.Column("lane", sa.String(), nullable=False),
        sa.Column("sender", sa.String(), nullable=False),
        sa.Column("player_id", BIG),
        sa.Column("game_id", BIG),
        sa.Column("seat", sa.Integer()),
        sa.Column("raw", sa.LargeBinary(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("problem", sa.String()),
        sa.Column("rules_hit", sa.String()),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("last_error", sa.String()),
        sa.Column("received_at", INSTANT, nullable=False),
        sa.Column("done_at", INSTANT),
        sa.PrimaryKeyConstraint("id", name="pk_inbound"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_inbound_game_id"),
        sa.ForeignKeyConstraint(
            ["game_id", "seat"], ["seats.game_id", "seats.number"], name="fk_inbound_game_id_seat"
        ),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_inbound_player_id"),
        sa.UniqueConstraint("mailbox", "uidvalidity", "uid", name="uq_inbound_mailbox_uidvalidity_uid"),
        sa.CheckConstraint("source IN ('imap', 'lmtp', 'pipe', 'cli')", name=op.f("ck_inbound_source")),
        sa.CheckConstraint(
            "status IN ('new', 'done', 'refused', 'ignored', 'failed')", name=op.f("ck_inbound_status")
        ),
    )
    op.create_index("ix_inbound_content_key", "inbound", ["content_key"])
    op.create_index("ix_inbound_sender_received_at_status", "inbound", ["sender", "received_at", "status"])
    op.create_index("ix_inbound_status_id", "inbound", ["status", "id"])
    op.create_index("ix_inbound_status_lane_id", "inbound", ["status", "lane", "id"])
    unique_where("uq_inbound_content_key", "inbound", ["content_key"], "status = 'done'")


def events() -> None:
    op.create_table(
        "events",
        sa.Column("id", BIG, nullable=False),
        sa.Column("game_id", BIG, nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("entry", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("body", JSON, nullable=False),
        sa.Column("seat", sa.Integer()),
        sa.Column("words", sa.String()),
        sa.Column("phase_key", sa.String(), nullable=False),
        sa.Column("cause", sa.String(), nullable=False),
        sa.Column("inbound_id", BIG),
        sa.Column("recorded_by", sa.String(), nullable=False),
        sa.Column("at", INSTANT, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_events"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_events_game_id"),
        sa.ForeignKeyConstraint(
            ["game_id", "seat"], ["seats.game_id", "seats.number"], name="fk_events_game_id_seat"
        ),
        sa.ForeignKeyConstraint(["inbound_id"], ["inbound.id"], name="fk_events_inbound_id"),
        sa.UniqueConstraint("game_id", "seq", name="uq_events_game_id_seq"),
        sa.CheckConstraint(
            "cause IN ('setup', 'order', 'close', 'early', 'master', 'leave', 'undo', 'replayed', 'edit')",
            name=op.f("ck_events_cause"),
        ),
    )


def outbox() -> None:
    op.create_table(
        "outbox",
        sa.Column("id", BIG, nullable=False),
        sa.Column("game_id", BIG),
        sa.Column("seat", sa.Integer()),
        sa.Column("n", sa.Integer()),
        sa.Column("player_id", BIG),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("message_id", sa.String(), nullable=False),
        sa.Column("in_reply_to", sa.String()),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("data_started_at", INSTANT),
        sa.Column("resent_at", INSTANT),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("due_at", INSTANT, nullable=False),
        sa.Column("leased_by", sa.String()),
        sa.Column("leased_until", INSTANT),
        sa.Column("sent_at", INSTANT),
        sa.Column("last_code", sa.Integer()),
        sa.Column("last_text", sa.String()),
        sa.PrimaryKeyConstraint("id", name="pk_outbox"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_outbox_game_id"),
        sa.ForeignKeyConstraint(
            ["game_id", "seat"], ["seats.game_id", "seats.number"], name="fk_outbox_game_id_seat"
        ),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_outbox_player_id"),
        sa.UniqueConstraint("message_id", name="uq_outbox_message_id"),
        sa.UniqueConstraint("game_id", "seat", "n", name="uq_outbox_game_id_seat_n"),
        sa.CheckConstraint(
            "status IN ('queued', 'sending', 'unknown', 'sent', 'deferred', 'failed', 'dropped')",
            name=op.f("ck_outbox_status"),
        ),
    )
    op.create_index("ix_outbox_status_due_at", "outbox", ["status", "due_at"])
    op.create_index("ix_outbox_sent_at", "outbox", ["sent_at"])
    op.create_table(
        "outbox_texts",
        sa.Column("id", BIG, nullable=False),
        sa.Column("raw", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_outbox_texts"),
        sa.ForeignKeyConstraint(["id"], ["outbox.id"], name="fk_outbox_texts_id"),
    )


def posts() -> None:
    op.create_table(
        "posts",
        sa.Column("id", BIG, nullable=False),
        sa.Column("game_id", BIG, nullable=False),
        sa.Column("channel", sa.String(), nullable=False),
        sa.Column("seat", sa.Integer()),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("listeners", JSON, nullable=False),
        sa.Column("inbound_id", BIG),
        sa.Column("body", sa.String(), nullable=False),
        sa.Column("at", INSTANT, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_posts"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_posts_game_id"),
        sa.ForeignKeyConstraint(
            ["game_id", "seat"], ["seats.game_id", "seats.number"], name="fk_posts_game_id_seat"
        ),
        sa.ForeignKeyConstraint(["inbound_id"], ["inbound.id"], name="fk_posts_inbound_id"),
    )
    op.create_index("ix_posts_game_id_channel", "posts", ["game_id", "channel"])


def deadlines() -> None:
    op.create_table(
        "deadlines",
        sa.Column("id", BIG, nullable=False),
        sa.Column("game_id", BIG, nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("mark", sa.String(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("due_at", INSTANT, nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("fired_at", INSTANT),
        sa.PrimaryKeyConstraint("id", name="pk_deadlines"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_deadlines_game_id"),
        sa.CheckConstraint("kind IN ('remind', 'expire', 'close', 'start')", name=op.f("ck_deadlines_kind")),
        sa.CheckConstraint("status IN ('armed', 'fired', 'superseded')", name=op.f("ck_deadlines_status")),
    )
    op.create_index("ix_deadlines_game_id_status", "deadlines", ["game_id", "status"])
    op.create_index("ix_deadlines_status_due_at", "deadlines", ["status", "due_at"])
    unique_where(
        "uq_deadlines_armed", "deadlines", ["game_id", "position", "kind", "mark", "seat"], "status = 'armed'"
    )


def asks() -> None:
    op.create_table(
        "asks",
        sa.Column("id", BIG, nullable=False),
        sa.Column("game_id", BIG, nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer()),
        sa.Column("answers", JSON, nullable=False),
        sa.Column("until", INSTANT),
        sa.Column("status", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_asks"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_asks_game_id"),
        sa.ForeignKeyConstraint(
            ["game_id", "seat"], ["seats.game_id", "seats.number"], name="fk_asks_game_id_seat"
        ),
        sa.CheckConstraint(
            "kind IN ('draw', 'undo', 'extend', 'pause', 'resume', 'replace', 'confirm', 'was-it-you', "
            "'invite')",
            name=op.f("ck_asks_kind"),
        ),
        sa.CheckConstraint("status IN ('open', 'agreed', 'declined', 'lapsed')", name=op.f("ck_asks_status")),
    )
    op.create_index("ix_asks_game_id_status", "asks", ["game_id", "status"])


def plans() -> None:
    op.create_table(
        "plans",
        sa.Column("id", BIG, nullable=False),
        sa.Column("game_id", BIG, nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("lines", JSON, nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("dropped", sa.String()),
        sa.PrimaryKeyConstraint("id", name="pk_plans"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_plans_game_id"),
        sa.ForeignKeyConstraint(
            ["game_id", "seat"], ["seats.game_id", "seats.number"], name="fk_plans_game_id_seat"
        ),
        sa.CheckConstraint("status IN ('queued', 'played', 'dropped')", name=op.f("ck_plans_status")),
    )
    op.create_index("ix_plans_game_id_status", "plans", ["game_id", "status"])


def audit() -> None:
    op.create_table(
        "audit",
        sa.Column("id", BIG, nullable=False),
        sa.Column("actor", sa.String(), nullable=False),
        sa.Column("act", sa.String(), nullable=False),
        sa.Column("game_id", BIG),
        sa.Column("before", JSON),
        sa.Column("after", JSON),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("at", INSTANT, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_audit"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_audit_game_id"),
    )
    op.create_index("ix_audit_game_id", "audit", ["game_id"])
