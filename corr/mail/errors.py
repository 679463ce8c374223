"""What can go wrong between corr and a mail server, as far as a caller treats it differently."""


class Unreachable(ConnectionError):
    """The server cannot be reached or does not talk sense: try again later.

    *wait* is how many seconds the server itself asks to be left alone; 0 where it does not say.
    """

    def __init__(self, message: str = "", wait: float = 0.0) -> None:
        super().__init__(message)
        self.wait = wait


class ConnectionLost(Unreachable):
    """The connection ended while waiting: connect anew at once."""


class LoginRefused(Exception):
    """The server knows the account and refuses its password: only the operator can help."""
