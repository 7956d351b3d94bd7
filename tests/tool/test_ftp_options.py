"""The options of FTP: what they make the command say to a server (scripts of tests/e2e)."""
import os
import sys

import pytest

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "e2e"))
from command_server import Command, Say  # noqa: E402
from ftp_server import QUIT, Passive, login  # noqa: E402
from script import ScriptServer, UntilClose  # noqa: E402


@pytest.fixture
def ftp():
    server = ScriptServer()
    yield server
    server.close()


@pytest.mark.parametrize("option, code", [("--ftp-ssl", 67), ("--ftp-ssl-reqd", 64)])
def test_old_names(tool, ftp, option, code):
    """--ssl goes on without TLS, --ssl-reqd does not."""
    denied = [Command("USER anonymous", "530 no")] if code == 67 else [UntilClose()]
    ftp.script(Say("220 hi"), Command("AUTH SSL", "500 no"), Command("AUTH TLS", "500 no"), *denied)
    assert tool.mote("-s", option, f"ftp://{ftp.authority}/f").rc == code


@pytest.mark.parametrize("reply, times", [("450 busy", 2), ("550 none", 1)])
def test_retry_after_a_transient_reply(tool, ftp, reply, times):
    steps = [[Passive(), *kind, Command("SIZE f", "213 1"), Command("RETR f", reply)] for kind in ([Command("TYPE I", "200 ok")], [])]
    ftp.script(*login(), *sum(steps[:times], []), QUIT)
    assert tool.mote("-s", "--retry", "1", "--retry-delay", "1", f"ftp://{ftp.authority}/f").rc == (19 if times > 1 else 78)
