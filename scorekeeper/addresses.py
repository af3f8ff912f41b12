"""Addresses and names by which phones and browsers reach this computer."""

import ipaddress
import re
import socket
import struct
import sys
from collections.abc import Iterable, Iterator
from typing import NamedTuple
from urllib.parse import urlsplit

from scorekeeper.i18n import gettext as _

MOST = 3  # addresses named, of a computer that has more
LAN = [ipaddress.ip_network(net) for net in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16")]
CARRIERS = ipaddress.ip_network("100.64.0.0/10")  # Tailscale numbers its phones and computers so
TUNNEL = re.compile(
    r"u?tun|tap|wg|ppp|ipsec|zt|tailscale|nordlynx|proton|.*(vpn|tunnel|wireguard|wintun|zerotier)",
    re.IGNORECASE,
)
# Networks of containers and virtual machines, which end inside this computer.
INSIDE = re.compile(
    r"docker|br-[0-9a-f]{12}|veth|virbr|vboxnet|vmnet|lxc|lxd|incus|cni|podman|virtualbox|vmware",
    re.IGNORECASE,
)
# Most are of the same kind, but one that shares Wi-Fi or the network card is a bridge as well.
BRIDGE = re.compile(r"bridge|hyper-v", re.IGNORECASE)
# Flags of interfaces, the same on Linux, macOS and the BSDs, and the requests that return them
# and the address. Their argument begins with the name, in 16 bytes.
UP_AND_RUNNING, POINT_TO_POINT = 0x41, 0x10
GET_FLAGS, GET_ADDRESS = (0x8913, 0x8915) if sys.platform == "linux" else (0xC0206911, 0xC0206921)
HOST_NAME = re.compile(r"\.?[a-z0-9][a-z0-9-]*(\.[a-z0-9][a-z0-9-]*)*")
LONGEST_NAME = 253
ENDINGS = ("", ".local", ".lan", ".home", ".home.arpa", ".fritz.box", ".internal")


class Interface(NamedTuple):
    """A network interface and its IPv4 address."""

    name: str
    address: str
    point_to_point: bool = False


def urls_for_phones(listens_on: str, port: int, scheme: str = "http") -> tuple[list[str], str]:
    """Return the URLs by which other devices reach a server, best first, or why there are none.

    `listens_on` is the address on which the server accepts connections.
    """
    if is_address(listens_on):
        listening = ipaddress.ip_address(listens_on)
        if listening.is_loopback:
            sentence = _(
                "Only this computer can open it. For other devices, start the server with "
                "--host 0.0.0.0."
            )
            return [], sentence
        if not listening.is_unspecified:
            return [url(listens_on, port, scheme)], ""
    urls = [url(address, port, scheme) for address in ranked(interfaces())[:MOST]]
    if urls:
        return urls, ""
    return [], _("Other devices can’t open it: this computer isn’t connected to a network.")


def url(host: str, port: int, scheme: str = "http") -> str:
    """Return the URL of a server."""
    usual = port == {"http": 80, "https": 443}[scheme]
    return f"{scheme}://{f'[{host}]' if ':' in host else host}{'' if usual else f':{port}'}"


def ranked(found: Iterable[Interface]) -> list[str]:
    """Return the addresses that phones may reach, those of the local network first.

    Of the same kind, the one that was set up first comes first: a network card before a VPN whose
    name says nothing.
    """
    ranks = [(_rank(one), one.address) for one in found if not INSIDE.match(one.name)]
    return [address for rank, address in sorted(ranks, key=lambda pair: pair[0]) if rank >= 0]


def _rank(interface: Interface) -> int:
    """Return the rank of an interface, 0 for the best; negative where no phone can reach it."""
    address = ipaddress.ip_address(interface.address)
    if address.is_loopback or address.is_unspecified or address.is_multicast:
        return -1
    if BRIDGE.match(interface.name):
        return 4
    if address.is_link_local:  # nobody gave it one, as on a cable that leads to no router
        return 3
    if interface.point_to_point or TUNNEL.match(interface.name) or address in CARRIERS:
        return 2
    return 0 if any(address in net for net in LAN) else 1


def interfaces() -> list[Interface]:
    """Return the network interfaces that are connected, in the order in which they were set up."""
    try:
        return list(_interfaces())
    except OSError:
        return []


if sys.platform == "win32":

    def _interfaces() -> Iterator[Interface]:
        import ifaddr  # only here, as other systems need no library

        for adapter in ifaddr.get_adapters():
            for ip in adapter.ips:
                if ip.is_IPv4:
                    yield Interface(adapter.nice_name, str(ip.ip))
else:

    def _interfaces() -> Iterator[Interface]:
        from fcntl import ioctl

        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
            for _index, name in sorted(socket.if_nameindex()):
                argument = struct.pack("32s", name.encode())
                try:
                    (flags,) = struct.unpack_from("H", ioctl(asked, GET_FLAGS, argument), 16)
                    address = socket.inet_ntoa(ioctl(asked, GET_ADDRESS, argument)[20:24])
                except OSError:  # it has no address
                    continue
                if flags & UP_AND_RUNNING == UP_AND_RUNNING:
                    yield Interface(name, address, bool(flags & POINT_TO_POINT))


def is_address(host: str) -> bool:
    """Return whether a host is an IP address, without brackets."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def opens_here_only(base: str) -> bool:
    """Return whether a URL works only on this computer, as its host is a loopback address."""
    host = (urlsplit(base).hostname or "").removesuffix(".")
    if not is_address(host):
        return host == "localhost" or host.endswith(".localhost")
    return is_loopback(host) or ipaddress.ip_address(host).is_unspecified


def is_loopback(text: str) -> bool:
    """Return whether a text is an IP address of this computer for itself."""
    if not is_address(text):  # empty on a Unix socket, which only a proxy uses
        return False
    address = ipaddress.ip_address(text)
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return (mapped or address).is_loopback


def host_name(text: str) -> str:
    """Return a host name in lower case, without a port.

    A leading dot stands for all names below it. Empty for what is no host name.
    """
    if len(text) > LONGEST_NAME:
        return ""
    name = re.sub(r":[0-9]*$", "", text.strip().lower()).removesuffix(".")
    dot = "." if name.startswith(".") else ""
    try:
        name = dot + name.removeprefix(".").encode("idna").decode()
    except UnicodeError:
        return ""
    return name if HOST_NAME.fullmatch(name) else ""


def own_names() -> list[str]:
    """Return the names of this computer in local networks."""
    name = host_name(socket.gethostname())
    short = name.partition(".")[0]
    return ["localhost", *(filter(None, [name])), *(short + end for end in ENDINGS if short)]
