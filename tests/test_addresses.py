"""Addresses by which phones reach this computer, and names by which browsers ask for it."""

import os
import subprocess
import sys

import pytest

from scorekeeper import addresses
from scorekeeper.addresses import Interface, host_name, opens_here_only, ranked, urls_for_phones
from tests.program import CHECKOUT, clean_environment

# Interfaces in the order in which a computer lists them, and the addresses for phones.
COMPUTERS = {
    "at home": (["lo 127.0.0.1", "wlan0 192.168.178.20"], ["192.168.178.20"]),
    "nowhere": (["lo 127.0.0.1"], []),
    "its own hotspot": (["lo 127.0.0.1", "wlan0 10.42.0.1"], ["10.42.0.1"]),
    "two networks": (["eth0 10.1.2.3", "wlan0 192.168.1.7"], ["10.1.2.3", "192.168.1.7"]),
    "OpenVPN": (["tun0 10.8.0.2", "eth0 192.168.1.7"], ["192.168.1.7", "10.8.0.2"]),
    "WireGuard": (["wg0 10.9.0.2", "eth0 172.20.1.7"], ["172.20.1.7", "10.9.0.2"]),
    "a tunnel of any name": (["home 10.9.0.2 ->", "eth0 10.1.2.3"], ["10.1.2.3", "10.9.0.2"]),
    "macOS with a VPN": (["utun4 10.9.0.2", "en0 192.168.1.7"], ["192.168.1.7", "10.9.0.2"]),
    "Tailscale": (
        ["tailscale0 100.101.102.103", "eth0 192.168.1.7"], ["192.168.1.7", "100.101.102.103"],
    ),
    "Tailscale by its number": (
        ["utun9 100.64.0.1", "en0 192.168.1.7"], ["192.168.1.7", "100.64.0.1"],
    ),
    "Tailscale alone": (["tailscale0 100.101.102.103"], ["100.101.102.103"]),
    "Docker": (["docker0 172.17.0.1", "eth0 192.168.1.7"], ["192.168.1.7"]),
    "Docker without a network": (["docker0 172.17.0.1", "br-0123456789ab 172.18.0.1"], []),
    "inside a container": (["lo 127.0.0.1", "eth0 172.17.0.2"], ["172.17.0.2"]),
    "virtual machines": (["virbr0 192.168.122.1", "br0 192.168.1.7"], ["192.168.1.7"]),
    "a Mac that shares its network": (
        ["bridge100 192.168.2.1", "en0 192.168.1.7"], ["192.168.1.7", "192.168.2.1"],
    ),
    "a Mac's hotspot alone": (["bridge100 192.168.2.1"], ["192.168.2.1"]),
    "public": (["eth0 198.51.100.7", "wlan0 192.168.1.7"], ["192.168.1.7", "198.51.100.7"]),
    "a cable without a router": (
        ["eth0 169.254.3.4", "wg0 10.9.0.2"], ["10.9.0.2", "169.254.3.4"],
    ),
    "Windows": (
        [
            "VirtualBox_Host-Only_Ethernet_Adapter 192.168.56.1", "TAP-Windows_Adapter_V9 10.8.0.2",
            "Hyper-V_Virtual_Ethernet_Adapter 172.23.0.1", "Tailscale_Tunnel 100.64.0.9",
            "Intel(R)_Wi-Fi_6_AX201 192.168.1.7", "Software_Loopback_Interface_1 127.0.0.1",
        ],
        ["192.168.1.7", "10.8.0.2", "100.64.0.9", "172.23.0.1"],
    ),
    "the hotspot of Windows": (
        ["Microsoft_Wi-Fi_Direct_Virtual_Adapter_#2 192.168.137.1"], ["192.168.137.1"],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("found", "for_phones"), COMPUTERS.values(), ids=COMPUTERS.keys())
def test_the_local_network_comes_first(found: list[str], for_phones: list[str]) -> None:
    rows = [one.split() for one in found]
    interfaces = [Interface(name, address, bool(arrow)) for name, address, *arrow in rows]
    assert ranked(interfaces) == for_phones


@pytest.mark.parametrize(
    ("listens_on", "urls", "why"),
    [
        ("0.0.0.0", ["http://192.168.178.20:8000"], ""),
        ("::", ["http://192.168.178.20:8000"], ""),
        ("localhost", ["http://192.168.178.20:8000"], ""),
        ("10.1.2.3", ["http://10.1.2.3:8000"], ""),
        ("2001:db8::7", ["http://[2001:db8::7]:8000"], ""),
        ("127.0.0.1", [], "Only this computer can open it."),
        ("::1", [], "Only this computer can open it."),
    ],
)
def test_what_a_server_listens_on_decides_who_reaches_it(
    listens_on: str, urls: list[str], why: str
) -> None:
    found, obstacle = urls_for_phones(listens_on, 8000)
    assert found == urls
    assert obstacle.startswith(why)
    assert bool(obstacle) == bool(why)


def test_without_an_interface_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses, "interfaces", list)
    assert urls_for_phones("0.0.0.0", 8000) == (
        [],
        "Other devices can’t open it: this computer isn’t connected to a network.",
    )


NETWORK = """
ip link set lo up
ip tuntap add tun0 mode tun; ip addr add 10.8.0.2 peer 10.8.0.1 dev tun0; ip link set tun0 up
ip link add cabin type veth peer name phone
ip addr add 192.168.4.1/24 dev cabin; ip link set cabin up; ip link set phone up
ip link add unplugged type veth peer name nothing
ip addr add 192.168.5.1/24 dev unplugged; ip link set unplugged up
exec "$0" -c 'from scorekeeper import addresses; print(addresses.interfaces())'
"""


@pytest.mark.skipif(sys.platform != "linux" or os.geteuid() != 0, reason="needs root on Linux")
def test_interfaces_without_a_default_route_are_found() -> None:
    ended = subprocess.run(
        ["unshare", "--net", "sh", "-c", NETWORK, sys.executable],
        env=clean_environment(PYTHONPATH=str(CHECKOUT)),
        capture_output=True,
        encoding="utf-8",
    )
    if "unshare" in ended.stderr or "ip: not found" in ended.stderr or "RTNETLINK" in ended.stderr:
        pytest.skip("needs network namespaces and the command ip")
    assert "Interface(name='cabin', address='192.168.4.1', point_to_point=False)" in ended.stdout
    assert "192.168.5.1" not in ended.stdout
    assert "10.8.0.2" not in ended.stdout  # no program holds the other end of the tunnel


@pytest.mark.parametrize(
    ("base", "here_only"),
    [
        ("http://localhost:8000", True),
        ("http://LOCALHOST", True),
        ("http://localhost.:8000", True),
        ("http://spades.localhost", True),
        ("http://127.8.9.1:8000", True),
        ("http://[::1]:8000", True),
        ("http://[::ffff:127.0.0.1]", True),
        ("http://0.0.0.0:8000", True),
        ("http://192.168.1.7:8000", False),
        ("http://[fd00::7]:8000", False),
        ("http://nas.local", False),
        ("http://localhost.example", False),
    ],
)
def test_which_addresses_are_of_this_computer_alone(base: str, here_only: bool) -> None:
    assert opens_here_only(base) is here_only


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("nas.local", "nas.local"),
        (" NAS.Local. ", "nas.local"),
        ("nas.local:8000", "nas.local"),
        ("nas", "nas"),
        (".ts.net", ".ts.net"),
        ("müller.example", "xn--mller-kva.example"),
        ("", ""),
        (".", ""),
        ("*", ""),
        ("*.ts.net", ""),
        ("a b", ""),
        ("nas..local", ""),
        ("-", ""),
        ("my_nas", ""),
        ("http://nas.local", ""),
        ("x" * 64, ""),
        ("x." * 200, ""),
        ("\u0315\u0300" * 9000, ""),
    ],
)
def test_host_names_are_as_flask_compares_them(text: str, name: str) -> None:
    assert host_name(text) == name
