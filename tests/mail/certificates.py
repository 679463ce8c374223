"""A certificate of one's own, for tests of TLS."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest


def make_certificate(folder: Path) -> Path:
    """Make a key and a certificate for the name localhost in one file; nobody trusts it yet.

    Skips the test where that cannot be done, but never when CI is set.
    """
    if shutil.which("openssl") is None and "CI" not in os.environ:
        pytest.skip("the openssl command makes the certificate, and it is not here")
    pem = folder / "localhost.pem"
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"),
            *("-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"),
            *("-keyout", str(folder / "key"), "-out", str(folder / "crt")),
        ],
        check=True,
        capture_output=True,
    )
    pem.write_bytes((folder / "key").read_bytes() + (folder / "crt").read_bytes())
    return pem
