"""Requests from this computer itself, which need no key."""

import ipaddress
import re

from flask import current_app, request

LOCAL_HOST = re.compile(r"(localhost|127\.0\.0\.1|\[::1\])(:[0-9]+)?")
FORWARDED = {"forwarded", "via", "x-real-ip", "true-client-ip", "cf-connecting-ip"}


def is_local_request() -> bool:
    """Return whether a program or browser on this computer sent the request, to its own name.

    It is false wherever a proxy may stand in front, as all its clients seem to be this computer.
    The Host header is checked because a foreign name may resolve to this computer (DNS rebinding).
    """
    config = current_app.config
    return (
        not (config["BASE_URL"] or config["PROXIES"] or config["OPEN"])
        and _is_loopback(request.remote_addr or "")
        and LOCAL_HOST.fullmatch(request.headers.get("Host", "")) is not None
        and not any(_is_forwarding(name.lower()) for name, _value in request.headers)
    )


def _is_loopback(text: str) -> bool:
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return False
    return (getattr(address, "ipv4_mapped", None) or address).is_loopback


def _is_forwarding(name: str) -> bool:
    return name in FORWARDED or name.startswith("x-forwarded-")
