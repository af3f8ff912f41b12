"""Whether a request comes from this computer itself."""

import os
import re

from flask import current_app, request

from scorekeeper.addresses import is_loopback

HOSTED = ("SCOREKEEPER_URL", "SCOREKEEPER_OPEN", "SCOREKEEPER_PROXIES")
HOSTED_CONFIG = ("BASE_URL", "OPEN", "PROXIES", "SCRIPT_NAME")
LOCAL_HOST = re.compile(r"(localhost|127\.0\.0\.1|\[::1\])(:[0-9]{1,5})?")
FORWARDING_HEADER = re.compile(
    r"via|cdn-loop|cf-.+|x-original-.+|x-envoy-.+|.*(forward|proxy).*"
    r"|(.+-)?(real|client|connecting|originating|remote|source)-?(ip|addr|address|host)",
    re.IGNORECASE,
)


def is_local_request() -> bool:
    """Return whether a program or browser on this computer sent the request, to its own name.

    Behind a proxy or a tunnel on this computer every visitor has a loopback address. So the server
    must not be set up for one, the request must carry no header that one adds, and its Host must be
    a loopback name, which also rules out DNS rebinding. nginx without any setting of headers sends
    its own Host and adds nothing, but speaks HTTP/1.0, as no browser does.
    """
    return (
        not _is_hosted()
        and is_loopback(request.remote_addr or "")
        and LOCAL_HOST.fullmatch(request.headers.get("Host", "")) is not None
        and request.environ.get("SERVER_PROTOCOL") != "HTTP/1.0"
        and not any(FORWARDING_HEADER.fullmatch(name) for name, _value in request.headers)
    )


def _is_hosted() -> bool:
    """Return whether the server is set up for visitors from elsewhere, or behind a proxy."""
    # Any value counts, as whoever writes SCOREKEEPER_OPEN=true believes the server to be open.
    return any(os.environ.get(name) for name in HOSTED) or any(
        current_app.config[name] for name in HOSTED_CONFIG
    )
