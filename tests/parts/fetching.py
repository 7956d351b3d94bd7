"""What a program of fetch.c has fetched, and what every build has to do with the answers of peer.py."""
import subprocess


def fetch(program, peer, *paths, timeout=20000):
    """[result, status, bytes, sum, URL] of each."""
    cmd = [program, str(timeout), *(p if "://" in p else peer.url + p for p in paths)]
    done = subprocess.run(cmd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", timeout=240)
    assert done.returncode == 0, done.stdout
    return [line.split() for line in done.stdout.splitlines()]


def behaves(program, peer, redirects=30):
    """One suite for every build."""
    found = fetch(program, peer, "/", "/chunked", "/trailers", "/away", "/100", "/204", "/404", "/", "/big")
    assert [f[:3] for f in found] == [
        ["0", "200", "5"], ["0", "200", "3004"], ["0", "200", "3"], ["0", "200", "3004"], ["0", "200", "5"],
        ["0", "204", "0"], ["0", "404", "4"], ["0", "200", "5"], ["0", "200", "2000000"]]
    assert found[8][3] == str(ord("z") * 2000000)
    assert peer.count == 1 and len(peer.asked) == 10
    asked = len(peer.asked)
    assert fetch(program, peer, "/loop")[0][:2] == ["47", "302"]
    assert len(peer.asked) - asked == redirects + 1
    bad = fetch(program, peer, "/close", "/short", "/loop", "/head", "/line", "/lengths", "/chunk", "/nul")
    assert [f[:2] for f in bad] == [
        ["0", "200"], ["18", "200"], ["47", "302"], ["56", "200"], ["100", "200"], ["8", "200"], ["56", "200"],
        ["8", "200"]]
    stalled = fetch(program, peer, "/stall", timeout=300)
    assert stalled[0][0] == "28"
    names = fetch(program, peer, "nothing://x/", "http://", "http://127.0.0.1:1/",
                  peer.url.replace("127.0.0.1", "localhost") + "/")
    assert [f[0] for f in names] == ["1", "3", "7", "0"]
