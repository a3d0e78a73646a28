import socket

import pytest

from tests.waiting import LONGEST_S

ELSEWHERE = "192.0.2.1"  # reserved for documentation: no machine has it


def test_another_machine_is_refused_before_anything_is_sent():
    with socket.socket() as s, pytest.raises(RuntimeError, match="this machine only"):
        s.connect((ELSEWHERE, 80))


def test_the_name_of_another_machine_is_not_looked_up():
    with pytest.raises(RuntimeError, match="this machine only"):
        socket.getaddrinfo("example.org", 443)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_this_machine_can_be_reached(host):
    with socket.create_server(("127.0.0.1", 0)) as server:
        socket.create_connection((host, server.getsockname()[1]), timeout=LONGEST_S).close()
