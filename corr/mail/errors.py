"""What can go wrong between corr and a mail server, as far as a caller treats it differently."""


class Unreachable(ConnectionError):
    """The server cannot be reached or does not talk sense: try again later."""


class ConnectionLost(Unreachable):
    """The connection ended while waiting: connect anew at once."""


class LoginRefused(Exception):
    """The server knows the account and refuses its password: only the operator can help."""
