"""Which scenarios run, how far, and which do not; every omission has its reason here and is printed."""

# files of tests/e2e that are not scenarios of one transfer program
FILES_LEFT_OUT = {
    "test_harness.py": "tests of the harness itself",
    "test_faults.py": "lets calls fail itself",
    "test_tool_dropin.py": "runs Debian's curl command, not the driver",
    "test_meter.py": "runs Debian's curl command and programs of its own, not the driver",
    "test_h3_paths.py": "makes networks for the programs that it starts, and the driver is one that forks from before",
    "test_explored.py": "runs an interpreter and Debian's curl command, not the driver",
}

TESTS_LEFT_OUT = {
    "roll_over": "65,540 blocks, each of which is like the others",
    "on_a_bad_way": "its server waits for seconds, and its packets are those of the tests of whole files",
    "-268435456-": "an upload of 256 MB that only its abort keeps short",
}

# easy, poll and socket differ in the library; the other three only in how the application waits
WAYS = {"easy", "poll", "socket"}
OTHER_WAYS = {"wait", "fdset", "waitfds"}
OTHER_WAYS_FILES = {"test_multi.py", "test_pause.py", "test_names.py"}
OTHER_WAYS_REASON = ("wait, fdset and waitfds only differ from poll in how the application waits: run for "
                     + ", ".join(sorted(OTHER_WAYS_FILES)))

# short and cut reads do not depend on the way: every length with easy, and some with socket
SHORT_WAYS = {"easy", "socket", None}
SHORT_REASON = "short and cut reads do not depend on the way of waiting: every length with easy, some with socket"
SHORT_TO = 64
MOVES = 20_000  # short: no scenario makes more calls than that: it would show the machine's load
CUT_TO = 96

# (mode, part of a test's name): what the mode would need to know
MODES_LEFT_OUT = {
    ("eagain", "test_answer_without_a_request"):
        "eagain: an EAGAIN that is not true hides the bytes that the look at an idle connection is for",
    **{("eagain", f"test_kept_connection_is_closed[{way}-{what}]"): "eagain: likewise, and such a request is not made again"
       for way in ("easy", "poll", "socket") for what in ("POST", "DELETE")},
    ("short", "test_head_in_continuations"):
        "short: nghttp2 counts a CONTINUATION again for each piece of its nine bytes, and takes eight of them",
    ("short", "after the end"):
        "short: what follows the end of a stream finds the transfer over when it is read later",
    **{(mode, "test_tftp.py::"): mode + ": a datagram goes whole or not at all" for mode in ("short", "cut")},
    ("short", "-3000000"):
        "short: what goes from memory is not counted as bytes moved, and 3 MB byte by byte show the machine's load",
    **{(mode, f"dies_with_the_request[{way}-{what}]"): mode + ": what fails before the request is sent is made again, and "
       "the other connection does not die" for mode in ("at", "from", "oom", "reset") for way in ("poll", "socket")
       for what in ("POST", "DELETE")},
    **{(mode, "test_far_server"): mode + ": when QUIC fails, TCP goes on, which never answers there" for mode in (
       "at", "from", "oom", "eagain", "reset")},
    **{(mode, "test_session_is_resumed_by_its_own_version"): mode + ": its bodies say whether a session was resumed, and a "
       "connection goes on without" for mode in ("at", "from", "oom")},
    **{(mode, "test_answers_after_a_refusal_of_tls"): mode + ": what comes with the refusal comes after it then, and is the "
       "answer to a command" for mode in ("short", "cut")},
}

# Codes that system calls may lead to in some files of tests/e2e alone: {file: {call: codes}}, call "": any.
# What FTP's client survives it does in another way: a data connection that fails is tried again by PASV, a netrc
# file that cannot be read gives no login. Scripts that know nothing of it close the connection, which is 56.
OTHERWISE = {call: {56} for call in ("getpeername", "getsockopt", "open", "stat", "read")}
# A login that was not read is missed by the script of a server, which closes the connection then.
NO_NETRC = {call: {56} for call in ("open", "stat", "read")}
ALSO = {
    "test_doh.py": {"": {6}}, "test_doh_h2.py": {"": {6}},  # a lookup that does not reach its server finds nothing
    "test_ftp.py": OTHERWISE, "test_ftp_list.py": OTHERWISE, "test_ftp_proxy.py": OTHERWISE,
    "test_ftp_tls.py": OTHERWISE,
    "test_ldap.py": NO_NETRC, "test_pop3.py": NO_NETRC,
    # an agent that cannot be reached has no keys; a file of known hosts that cannot be read knows no hosts
    "test_ssh_logins.py": {"": {67}, "open": {60}, "read": {60}},
    "test_sftp.py": {"open": {60}, "read": {60}},
}

# Lines of the driver's log that a scenario may have or not: {part of a test's name: kinds of lines}
BY_CHANCE = {
    "test_left_in_any_state[poll-lookup-": {"result"},  # the resolver answers before the application leaves, or after
    "test_left_in_any_state[socket-lookup-": {"result"},
}


def by_chance(nodeid):
    return next((kinds for part, kinds in BY_CHANCE.items() if part in nodeid), set())


def also(nodeid):
    return ALSO.get(nodeid.split("::")[0].rpartition("/")[2], {})


MODES = ["at", "from", "oom", "eintr", "eagain", "reset", "short", "cut"]
MODES_NOTED = {
    "at": "the N-th call fails", "from": "it and all later ones fail", "oom": "all allocations from the N-th on fail",
    "eintr": "the N-th io call: EINTR", "eagain": "the N-th io call: EAGAIN", "reset": "the N-th io call: ECONNRESET",
    "short": "at most N bytes per call", "cut": "EAGAIN after N bytes received",
}
# after these the requests of a scenario may fit its server's script no more
SHIFTING = {"at", "from", "oom", "reset"}
ERRNO = {"eintr": "EINTR", "eagain": "EAGAIN", "reset": "ECONNRESET"}

EVERY_CALL_TO = 150  # every call up to here
SAMPLED_TO = 40      # and so many, evenly, of those beyond
SLOW = 0.5           # seconds: a scenario that takes longer by itself is sampled
SLOW_CALLS = 12

REDUCED_MODES = {"at", "from"}
# Each run of these is a key exchange, which test_sizes has in both modes: `from` ends it at the same calls. make
# check-all has it (torture.py --every-mode).
REDUCED_ONCE = ("test_sftp.py::test_a_known_host", "test_sftp.py::test_sizes_by_scp")
REDUCED = [
    "test_get.py::test_length[WAY]",
    "test_get.py::test_chunked[WAY-7]",
    "test_redirect.py::test_get[WAY-302]",
    "test_auth.py::test_choice_is_remembered[WAY]",
    "test_encoding.py::test_decoded[WAY-chunked-gzip]",
    "test_upload.py::test_put_chunked[WAY-100-7]",
    "test_upload.py::test_rewind_on_redirect[WAY-307]",
    "test_upload.py::test_trailers[WAY]",
    "test_tls.py::test_good[WAY-localhost]",
    "test_reuse.py::test_kept[WAY]",
    "test_multi.py::test_removed[MULTI-add-body]",
    "test_pause.py::test_write_pause[MULTI-50000-chunked]",
    "test_share.py::test_unshare",
    "test_share.py::test_sessions",
    "test_names.py::test_second_address_is_tried[WAY]",
    "test_names.py::test_localhost[WAY]",
    "test_timeouts.py::test_total[WAY-body]",
    "test_tls.py::test_refusals_every_way[WAY-expired]",
    "test_file.py::test_upload[WAY]",
    "test_ftp.py::test_kept_connection[WAY]",
    "test_ftp.py::test_active_mode[socket-eprt]",
    "test_ftp.py::test_upload[easy]",
    "test_ftp_list.py::test_files_of_a_pattern[easy]",
    "test_ftp_list.py::test_removed_in_a_file[poll]",
    "test_ftp_proxy.py::test_upload[easy-socks5h]",
    "test_ftp_tls.py::test_server_that_connects[easy]",
    "test_imap.py::test_a_mail_comes_through_every_way_of_driving[socket]",
    "test_imap.py::test_a_message_is_appended[easy-my%20box-options1-APPEND \"my box\" (\\\\Seen) {11}]",
    "test_pop3.py::test_apop_sends_a_digest",
    "test_sasl.py::test_scram[None]",
    "test_smtp.py::test_a_connection_carries_many_mails",
    "test_h2.py::test_kept[WAY]",
    "test_h2.py::test_interim_responses_and_trailers[WAY]",
    "test_h2.py::test_trailers_of_an_upload[WAY-100000]",
    "test_h2.py::test_upgrade_is_not_accepted[WAY]",
    "test_h2.py::test_redirect_after_an_upgrade[WAY]",
    "test_h2_errors.py::test_refused_is_tried_again[WAY-reset-None]",
    "test_h2_errors.py::test_reset_in_every_way[socket-before]",
    "test_h2_flow.py::test_pause_with_trailers[MULTI]",
    "test_h2_push.py::test_taken[poll-before it]",
    "test_sftp.py::test_sizes[32769]",
    "test_sftp.py::test_a_known_host[hashed-ecdsa]",
    "test_sftp.py::test_sizes_by_scp[32768]",
    "test_tftp.py::test_files_of_any_size[513]",
    "test_tftp.py::test_uploads_of_any_size[513]",
    "test_rtsp.py::test_a_session_through_every_way_of_driving[socket]",
    "test_rtsp.py::test_a_body_is_sent[easy-3-application/sdp]",
    "test_rtsp.py::test_a_challenge_is_answered[easy]",
    "test_telnet.py::test_both_directions_through_every_way_of_driving[socket]",
    "test_telnet.py::test_values_of_options[easy]",
]

# of HTTP/3, with all modes: check.py --http3
HTTP3 = [
    "test_h3.py::test_file[easy-3-12.txt]",
    "test_h3.py::test_file_of_a_peer[easy-12.txt]",
    "test_h3.py::test_file_of_a_peer[socket-12.txt]",
    "test_h3.py::test_upload[easy-no length-100000]",
    "test_h3.py::test_trailers_and_interim_responses[easy]",
    "test_h3.py::test_redirect_to_another_server[socket]",
    "test_h3.py::test_refused_requests_are_made_again[socket]",
    "test_h3.py::test_datagrams_that_are_refused[easy]",
]


def reduced():
    """The reduced set's node ids."""
    ways = {"WAY": ("easy", "socket"), "MULTI": ("poll", "socket")}
    out = []
    for name in REDUCED:
        word = next((w for w in ways if w in name), None)
        out += [name.replace(word, way) for way in ways[word]] if word else [name]
    return out


def reduced_modes(nodeid, every=False):
    """Those of the reduced set; every: also where one is enough for each day."""
    return REDUCED_MODES if every or not nodeid.startswith(REDUCED_ONCE) else {"at"}


def way_of(nodeid):
    """The way in a test's parameters, or None."""
    if "[" not in nodeid:
        return None
    words = nodeid[nodeid.index("[") + 1:-1].split("-")
    for word in words:
        if word in WAYS | OTHER_WAYS:
            return word
    return None


def left_out(nodeid):
    """Why an item does not run, or None."""
    name = nodeid.split("::")[0].split("/")[-1]
    if name in FILES_LEFT_OUT:
        return f"{name}: {FILES_LEFT_OUT[name]}"
    for part, reason in TESTS_LEFT_OUT.items():
        if part in nodeid:
            return f"{name}: {reason}"
    if way_of(nodeid) in OTHER_WAYS and name not in OTHER_WAYS_FILES:
        return OTHER_WAYS_REASON
    return None


def mode_left_out(nodeid, mode):
    """Why an item does not run in this mode, or None."""
    if mode in ("short", "cut") and way_of(nodeid) not in SHORT_WAYS:
        return SHORT_REASON
    return next((why for (of, part), why in MODES_LEFT_OUT.items() if of == mode and part in nodeid), None)


def numbers(last, few=False, moved=0):
    """(which of the calls 1 to last fail, how many are left out); moved: bytes, of which N go at a time"""
    every, more = (SLOW_CALLS // 2, SLOW_CALLS // 2) if few else (EVERY_CALL_TO, SAMPLED_TO)
    if last <= every + more:
        out = list(range(1, last + 1))
    else:
        step = (last - every) / more
        out = list(range(1, every + 1)) + sorted({every + 1 + int(i * step) for i in range(more)} | {last})
    out = [n for n in out if moved / n < MOVES]
    return out, last - len(out)
