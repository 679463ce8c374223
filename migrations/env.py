"""Alembic's way in: corr.store.migrate passes the open connection."""

from alembic import context

from corr.store.tables import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
with context.begin_transaction():
    context.run_migrations()
