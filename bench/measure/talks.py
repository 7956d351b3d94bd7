"""Protocols of lines: FTP, IMAP, POP3, SMTP."""
import os

from .figure import gives
from .programs import BIN
from .servers import lines
from .subject import MB, SIZES, line_of, phases_of
from .watch import instructions_of, strace

MAIL = ("MAIL_FROM=<a@example.com>", "MAIL_RCPT=<b@example.com>")
LOGIN = ("USERPWD=me:secret",)


def talk(s, url, size, times=1, options=(), **how):
    """Transfers of so many bytes over one connection. Phases of bench/get, and what it printed."""
    before = how.pop("before", ())
    p = s.run([*before, os.path.join(BIN, "get"), url, "0", str(times), *options], **how)
    r = line_of(p.stdout, "result")
    s.check(p, r.get("rc") == 0 and (size is None or r.get("bytes") == size * times))
    return phases_of(p.stdout), p


def talk_instructions(s, url, size, times=1, options=()):
    """Instructions of so many transfers; the smallest of some runs, as for instructions_mb()."""
    return s.undisturbed(lambda: instructions_of(talk, s, url, size, times, options), 200 * times, 3)


def one_more(s, few, many, *what):
    """Instructions of one transfer more on the same connection."""
    url, size, options = what
    return (talk_instructions(s, url, size, many, options) - talk_instructions(s, url, size, few, options)) / (many - few)


def talk_calls(s, url, size, options=()):
    """System calls of one transfer more: the mean of the last twenty of 22. The first two do not count, as a client looks
    for the greeting as soon as it is connected, and finds it there or not."""
    p, calls = strace(s, [os.path.join(BIN, "get"), url, "0", "22", *options], env={"BENCH_MARKS": "1"})
    s.check(p, line_of(p.stdout, "result").get("bytes") == size * 22)
    ends = [at for at, name in enumerate(calls) if name == "getppid"]
    return sum(name != "getppid" for name in calls[ends[1]:ends[21]]) / 20


def performs(phases):
    return [v for name, v in phases if name == "perform"]


def up(s, name):
    return f"upload={s.srv.path(name)}"


def idle_of(s, url):
    """Bytes of a kept idle connection."""
    p = s.run([os.path.join(BIN, "many"), url, "100", "kept"], counted=True)
    s.check(p, line_of(p.stdout, "result").get("bad") == 0)
    return round(line_of(p.stdout, "connection")["bytes"])


@gives("ftp_session_allocs", "ftp_active_again_allocs", "ftp_again_allocs", "ftp_upload_bytes", "ftp_idle_bytes")
def ftp(s):
    """Allocations of our own: a session of ten commands, the third of three files; what an upload leaves."""
    with lines.Server("ftp") as srv:
        active = talk(s, srv.url + "/small", 12, 3, ("FTPPORT=-",), counted=True)[0]
        passive = talk(s, srv.url + "/small", 12, 3, counted=True)[0]
        upload = talk(s, srv.url + "/f", 0, 1, (up(s, "mb1"),), counted=True)[0]
        kept = idle_of(s, srv.url + "/small")
    own = {name: v["own_calls"] for name, v in reversed(active)}
    return {"ftp_session_allocs": own["init"] + own["setopt"] + own["perform"],
            "ftp_active_again_allocs": performs(active)[2]["own_calls"], "ftp_again_allocs": performs(passive)[2]["own_calls"],
            "ftp_upload_bytes": performs(upload)[0]["live"] - dict(reversed(upload))["global"]["live"], "ftp_idle_bytes": kept}


def with_servers(s, protocol, measure, **how):
    """The smallest of what is measured with three servers. Which packets come together, or a moment too late for a read,
    stays the same for most transfers with one of them."""
    seen = []
    for _ in range(1 if s.once else 3):
        with lines.Server(protocol, **how) as srv:
            seen.append(measure(srv))
    return min(seen)


@gives("instructions_ftp", "instructions_ftp_mb", "system_calls_ftp")
def instructions_ftp(s):
    with lines.Server("ftp") as srv:
        large, small = (talk_instructions(s, f"{srv.url}/{n}", SIZES[n]) for n in ("mb11", "mb1"))
    return {"instructions_ftp": with_servers(s, "ftp", lambda srv: one_more(s, 2, 22, srv.url + "/small", 12, ())),
            "instructions_ftp_mb": (large - small) / 10,
            "system_calls_ftp": with_servers(s, "ftp", lambda srv: talk_calls(s, srv.url + "/small", 12))}


@gives("imap_list_allocs", "imap_fetch_allocs", "imap_append_allocs", "pop3_list_allocs", "pop3_fetch_allocs",
       "smtp_send_allocs", "smtp_peak", "imap_idle_bytes", "pop3_idle_bytes", "smtp_idle_bytes")
def mail(s):
    """Allocations of our own for the third of three equal operations; the peak of a mail of 1 MB."""
    figures = {}
    for protocol, name, path, size, options in (
            ("imap", "list", "/", None, LOGIN), ("imap", "fetch", "/INBOX;MAILINDEX=1", MB, LOGIN),
            ("imap", "append", "/INBOX", 0, (*LOGIN, up(s, "mb1"))), ("pop3", "list", "/", None, LOGIN),
            ("pop3", "fetch", "/1", MB, LOGIN), ("smtp", "send", "/client", 0, (*MAIL, up(s, "mb1")))):
        with lines.Server(protocol) as srv:
            phases = talk(s, srv.url + path, size, 3, options, counted=True)[0]
        figures[f"{protocol}_{name}_allocs"] = performs(phases)[2]["own_calls"]
        if protocol == "smtp":
            figures["smtp_peak"] = performs(phases)[0]["peak"] - dict(phases)["global"]["live"]
    for protocol, path in (("imap", "/"), ("pop3", "/"), ("smtp", "/client")):
        with lines.Server(protocol) as srv:
            figures[f"{protocol}_idle_bytes"] = idle_of(s, srv.url.replace("//", "//me:secret@" if protocol != "smtp" else "//") + path)
    return figures


@gives("instructions_imap_list", "instructions_pop3_mb", "instructions_smtp_mb", "system_calls_smtp",
       "system_calls_smtp_pipelining")
def instructions_mail(s):
    def mail_calls(srv):
        return talk_calls(s, srv.url + "/client", 0, (*MAIL, up(s, "mail")))

    with lines.Server("imap") as imap, lines.Server("pop3") as pop3, lines.Server("smtp") as smtp:
        return {"instructions_imap_list": one_more(s, 2, 22, imap.url + "/", None, LOGIN),
                "instructions_pop3_mb": one_more(s, 2, 7, pop3.url + "/1", MB, LOGIN),
                "instructions_smtp_mb": one_more(s, 2, 7, smtp.url + "/client", 0, (*MAIL, up(s, "mb1"))),
                "system_calls_smtp": with_servers(s, "smtp", mail_calls),
                "system_calls_smtp_pipelining": with_servers(s, "smtp", mail_calls, pipelined=True)}
