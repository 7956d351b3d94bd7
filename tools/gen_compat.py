#!/usr/bin/env python3
"""Make docs/compat.md from the table of options.

usage: gen_compat.py [--check]
  --check   write nothing; fail if the page is not what it would be
Reads src/transfer/options/option_rows.inc (rows, headings, remarks) and tests/interface/tables/easy_options.tsv. Also fails
when an option of libcurl has no row, when a row that only is accepted does not say why, or when no source reads an
option that is said to work.
"""
import glob
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAGE = "docs/compat.md"
KINDS = "HAVE|HARMLESS|LACK|REFUSE"
ROW = re.compile(r"^  /\* ---- ([^\n]*) ---- \*/$|^(?:  /\* (?:(differs): )?([^\n]*?) \*/\n)?"
                 rf"  ({KINDS})\((\w+), \w+, (\w+), \w+, \w+, ([^\n]*)\)$", re.M)
# why a row that only is accepted is harmless, by heading
HARMLESS = {"mail, RTSP, SSH, TELNET, TFTP": "its protocol is not built in"}
ANSWERS = {"NOT_BUILT_IN": "CURLE_NOT_BUILT_IN", "NO_ENGINE": "CURLE_SSL_ENGINE_NOTFOUND"}
# what an option becomes when it is set, apart from the lines SETS
BECOMES = {"USERPWD": "CURLOPT_USERNAME and CURLOPT_PASSWORD",
           "PROXYUSERPWD": "CURLOPT_PROXYUSERNAME and CURLOPT_PROXYPASSWORD"}
# used where they are set
KEPT_ELSEWHERE = {"SHARE", "HTTPGET", "POST", "PUT", "UPLOAD", "NOBODY", "COPYPOSTFIELDS", "USERPWD",
                  "PROXYUSERPWD", "HSTS", "ALTSVC", "ALTSVC_CTRL"}

HEAD = """# How Mote compares with libcurl

Made by `tools/gen_compat.py` from `src/transfer/options/option_rows.inc`: change that, not this page.

The interface is that of libcurl 8.23: names, numbers, layouts and defaults. Programs compiled against any
libcurl 7.x or 8.x run on it. What this build leaves out answers as libcurl does when a feature is left out.
Other pages: [what curl_easy_getinfo answers](compat-info.md),
[what broken responses lead to](http1-responses.md), [TLS](tls.md).

## Where Mote is stricter

- **Responses that can be read in two ways.** Repeated and differing Content-Length, Content-Length beside
  chunked, bad chunk sizes, NUL and bare CR in a head, white space before a colon or before the first field (RFC 9112
  section 2.2; libcurl 8.23 delivers such a line as a header): an error, or the connection is not used again, where
  libcurl 7.88 is lax. A client that reads a response otherwise than a proxy in front of it can be given the response to
  another client's request. The table is in [http1-responses.md](http1-responses.md).
- **Proxies are refused, not skipped.** NTLM is not built in. A transfer that needs it ends with CURLE_NOT_BUILT_IN
  and says so.
- **Tunnels.** Interim responses to CONNECT are passed over, where libcurl ends with the first. A challenge is answered
  on another connection only if the proxy has said that it closes this one. Bytes that come between the response to
  CONNECT and TLS are refused, and a callback cannot pause in the header lines of such a response. With
  CURLHEADER_UNIFIED the application's Content-Length and Transfer-Encoding are not sent with CONNECT. An answer that is no
  HTTP is CURLE_WEIRD_SERVER_REPLY, where libcurl has 8, 43 or 56 by the piece of it that comes first; a refusal is
  CURLE_COULDNT_CONNECT with its status as soon as its head has come, where libcurl reads the body first, and may end with what
  is wrong in there (56).
- **The target of a request to an HTTP proxy** has no zone id and no port that is the scheme's own, and bytes above 127
  of the path are encoded in it, as they are without a proxy; libcurl sends them as they are in the URL. A
  Proxy-Authorization of the application's replaces ours, where libcurl sends both.
- **GSS-API.** A service name that is set makes libcurl offer SOCKS5 proxies a password, even if there is none; ours
  does not. What follows the login is signed or encrypted (RFC 1961) if the proxy asks for it, where libcurl fails.
- **Negotiate.** A connection that was made without it is not used with it, also after a challenge there, where libcurl
  goes on with it. Each request has a token of its own, also where a response has the field Persistent-Auth.
- **WebSocket.** As RFC 6455 says, and libcurl leaves to the application: the answer to the handshake upgrades to
  `websocket` and has no extension and no subprotocol that CURLOPT_HTTPHEADER did not ask for; a frame's length is in its
  shortest form, nothing follows a close frame, and a text is UTF-8, whose characters may be cut by fragments. Of more
  than 64 PINGs that one call reads the last one is answered for all others.
- **TFTP.** After a server's first answer, datagrams of other hosts and ports are ignored, as is what is no packet;
  libcurl ends with either. A doubled acknowledgement has nothing sent again (RFC 1123 section 4.2.3.1). Blocks that are
  longer than was agreed are refused, where libcurl cuts them. The server hears of a transfer that ends early. An empty
  file may have its size. There is no way through a proxy. Without CURLOPT_TIMEOUT a server may be silent for 250 seconds,
  during which each packet is sent again every 5; libcurl 8.23 gives up after about 25 seconds, and 8.14 after an hour.
- **SOCKS.** A proxy that chooses a method which was not offered is refused, where libcurl sends an empty user and
  password. Users, passwords and host names that are too long are refused before anything is sent.
- **The parts of a URL are never read again.** CURLOPT_CURLU is taken part by part, also by the redirect that follows,
  where libcurl 8.23 resolves a reference against a text in which the user name `host:1/` is another host. Control
  characters in its query are CURLE_URL_MALFORMAT, where libcurl sends the lines that they make.
- **Zones.** The zone id of an IPv6 address that is no interface here is CURLE_COULDNT_RESOLVE_HOST, where libcurl
  connects without it. A zone id has no percent-encoded bytes.
- **Headers of one's own with a blank before the colon.** Content-Length and Transfer-Encoding are left out then, as
  is a line without a name: a server that ignores the blank would see two framings. Of several lines
  Transfer-Encoding, or Host, the first one decides alone, also one that removes the field.
- **Line ends in a request of HTTP/2** make no fields. One in a method or target is CURLE_URL_MALFORMAT, one in any field
  CURLE_BAD_FUNCTION_ARGUMENT, where libcurl makes further fields of what follows, or leaves the rest of the head out. Over
  HTTP/1 they are sent as the application wrote them. A value goes without the blanks around it (RFC 9113 section 8.2.1).
- **CURLOPT_IPRESOLVE** holds for literal addresses too: one of the other family is CURLE_COULDNT_CONNECT, where
  libcurl 8.23 takes an IPv4 address nevertheless. Where CURLOPT_RESOLVE has only addresses of the other family for a
  literal, the literal stands for itself; libcurl finds no address.
- **Connections.** `Connection: close` in a request means that its connection is not used again, whatever the server
  says, and CURLOPT_SSLVERSION is compared as it was set. A multi keeps four idle connections per transfer, as
  CURLMOPT_MAXCONNECTS(3) says, where libcurl 8.23 may keep only two. CURLMOPT_MAX_HOST_CONNECTIONS counts
  by the host and port of the URL, also where CURLOPT_CONNECT_TO or a local socket leads elsewhere; libcurl 8.23 by
  where the connection leads. CURLOPT_PORT, which holds for a Location of `//host` too, is shown in its URL and in
  Referer; libcurl 8.23 connects to that port and shows none.
- **RTSP.** Control characters in its options, and line ends in those that it shares with HTTP (CURLOPT_USERAGENT,
  CURLOPT_HTTPHEADER, ...), are CURLE_BAD_FUNCTION_ARGUMENT, where libcurl sends the further lines
  that they make. A request that is refused makes no connection, where libcurl connects first. A head that the server
  cuts is CURLE_RECV_ERROR, where libcurl 8.23 misses the CSeq. Data of a channel is never looked for within a body (RFC
  2326 section 10.12).
- **MQTT.** A topic with a control character and one of more than 65,535 bytes (CURLE_TOO_LARGE) are refused before
  there is a connection.
- **TELNET.** Nothing is read from stdin without a read callback and without CURLOPT_UPLOAD, since that would block; the
  command reads it. A transfer in a multi handle waits for nothing, where libcurl's holds all others up. Values of
  CURLOPT_TELNETOPTIONS are printable and have at most 240 characters, and so has the user. The read callback is asked as
  by libcurl, after bytes of the server for the application and else every 100 ms, and 0 means that it has nothing now;
  but one that has filled its room is asked again at once. A server's commands alone are no reason to ask, and a FILE
  is at its end when it says so. CURLOPT_INFILESIZE does not count, unless it is 0: then nothing is read.
- **LDAP.** A mechanism of SASL whose challenge cannot be answered is followed by the next one (CURLOPT_LOGIN_OPTIONS),
  where libcurl gives up. References to other servers are not followed and do not end a search, which they do with
  libcurl; a result that is a referral is CURLE_LDAP_SEARCH_FAILED in both. No extension of a URL is known, so one
  that is marked as critical, also `!bindname`, is refused (RFC 4516 section 2), where libcurl ignores it; the user is
  CURLOPT_USERNAME's. A NUL in a name or an attribute is refused, where libcurl ends the text there.
  An entry has 16 MB at most, as a message and as text (CURLE_TOO_LARGE); libcurl has no limit.
- **SSH.** An agent (CURLSSH_AUTH_AGENT) is waited for like a server, under the transfer's deadlines, where libcurl blocks
  all transfers of the multi; one that closes is no agent, where libcurl waits without end. With libssh2 1.10 a
  keyboard-interactive login may fail when the server gives it a title of few characters. A file of known hosts keeps
  its comments when a key is added, and CURLKHSTAT_FINE_REPLACE for another port leaves the key of the host at port 22,
  which libcurl drops. Of a server with known keys of several types all of these are accepted; libcurl 8.23 accepts the
  type of the first line only. A file whose name has a line end is not sent by SCP
  (CURLE_URL_MALFORMAT); libcurl says the name in a line of SCP's, so that the rest of it becomes the file's content.
  An upload by SCP is over when the server has said what became of the file: one that it could not store is
  CURLE_UPLOAD_FAILED with its text, where libcurl has sent all and reports success.
- **FTP.** A transfer on a kept connection begins at the entry path also after a command of the application has changed
  the directory (CWD, CDUP), and a connection is not kept in a directory that no entry path leads back from; libcurl 8.23
  goes on where the last transfer was, and reads another file. Line ends in the commands and words of options are CURLE_URL_MALFORMAT, and CURLE_BAD_FUNCTION_ARGUMENT in
  CURLOPT_FTP_ACCOUNT and CURLOPT_FTP_ALTERNATIVE_TO_USER, where libcurl 8.23 sends the further commands that they make. Replies of more than a megabyte, and lines of more than 64 KB, are
  CURLE_WEIRD_SERVER_REPLY. In active mode only the address that the control connection goes to may begin the data
  connection, which is the proxy's where there is one; libcurl takes what comes. An upload that the server refuses on
  its way ends with the server's reason (552: CURLE_REMOTE_DISK_FULL), where libcurl may report how sending failed, or
  send on. In a text a CR alone stays, where libcurl makes a line end of it. `Proxy-Connection: Keep-Alive` of an HTTP proxy does not keep a connection of HTTP/1.0 (RFC 9112 appendix
  C.2.2); libcurl's does. QUIT is sent when a handle is cleaned up, and its answer is not waited for. Each command waits
  for the reply to the one before, as in libcurl: RFC 959 section 5.4 asks for that, and no server can announce that it
  takes more. A line of CURLOPT_QUOTE and its like with a line end in it is CURLE_URL_MALFORMAT; libcurl sends both
  commands. An upload that begins elsewhere (CURLOPT_RESUME_FROM) without CURLOPT_SEEKFUNCTION is read up to that place;
  libcurl sends it from its beginning. Of text, and with CURLOPT_IGNORE_CONTENT_LENGTH, a part of a file is asked for
  by REST, where libcurl gets all of it. CURLINFO_RESPONSE_CODE is the last reply that came, also of mail, where libcurl
  has 0 after a connection that ended before a reply.
- **Mail.** SCRAM-SHA-256 and SCRAM-SHA-1 are built in and chosen before DIGEST-MD5. A server whose answer does not
  prove that it knows the password (`rspauth` of DIGEST-MD5, `v` of SCRAM) is CURLE_LOGIN_DENIED, where libcurl believes
  the first. With CURLOPT_SASL_AUTHZID the mechanisms that carry it (GSSAPI, SCRAM, PLAIN) come first, where libcurl
  chooses others and is in as the user itself. GSSAPI without a ticket goes on with the next mechanism for the password,
  unless LOGIN_OPTIONS allows no other; libcurl ends with CURLE_AUTH_ERROR. A user name in OAUTHBEARER has its `,` and
  `=` escaped (RFC 5801 section 4), where libcurl sends them as they are. A challenge that is no base 64 ends the login;
  libcurl sends the password in clear text then. What no command can be made of is refused before there is a connection.
  A mail of POP3 whose last line does not come is CURLE_PARTIAL_FILE, where libcurl takes it as whole, and an empty one
  has no line end. With CURLOPT_NOBODY an IMAP transfer delivers nothing and succeeds; libcurl 7.88 delivers the message
  nevertheless, and 8.23 ends with CURLE_WEIRD_SERVER_REPLY. Of several messages that a FETCH of CURLOPT_CUSTOMREQUEST
  brings all are delivered; libcurl ends after the first.
- **Authentication.** The scheme that a server has chosen under CURLAUTH_ANY is used unasked for that origin alone,
  where libcurl uses it for every server that the handle asks later. CURLAUTH_ONLY asks a server that has not demanded
  credentials; libcurl goes on with the scheme of an earlier transfer, also of one that was not to ask. The nonce of a
  Digest challenge serves the credentials for which it came; for others the server is asked again, where libcurl takes
  the nonce of whatever response the handle got last. With
  CURLOPT_AWS_SIGV4 a server of mail does not get the secret key as a password.
- **curl_url_set, curl_url_get.** A call that fails has changed nothing (libcurl has forgotten the zone id after a bad
  host). CURLUPART_HOST never has the zone id in it. An empty part asked for with CURLU_URLENCODE is an empty text,
  where libcurl answers CURLUE_OK without one, and `file:` without a path shows the path "/", not "(nil)".
- **Options.** A negative time-out in milliseconds is an error, as it always was in seconds. Numbers that do not
  fit what they count are clipped or refused, never wrapped.
- **Shares** are never given up in the middle of a transfer. Connections may be shared between threads. A transfer
  that a limit on connections stops goes on when another multi leaves a connection of the shared pool, also in
  another thread; in libcurl 7.88 it waits for ever.
- **Formats** of `curl_mprintf` and its kin: `%n` takes its argument and stores nothing; one argument asked for by
  position (`%1$d %1$s`) has one type, and there are at most 32 positions (libcurl: 128). The sizes `j` and `t`, `%a`,
  and a precision without digits (`%.s`, which is `%.0s`) mean what they mean in C, where libcurl prints the first two
  as they stand and refuses the last one.
- **Handles** that are NULL, freed or no handles are recognised by a number in front, where libcurl would crash.
- **Callbacks.** A handle that is in a multi is not cleaned up while one of that multi's callbacks runs:
  curl_easy_cleanup does nothing then, and curl_multi_remove_handle and curl_multi_cleanup answer
  CURLM_RECURSIVE_API_CALL. CURLMOPT_NOTIFYFUNCTION may add, remove and clean up handles, and set options of the
  multi. CURLOPT_SHARE stays while a handle is in a multi. What a callback has refused with a pause is delivered in
  the next step of the transfer, not within curl_easy_pause: a refusal is then the result of the transfer, where
  libcurl answers it to that call too. A `file:` transfer can be paused, and an RTP packet that the write callback
  gets; in libcurl a callback that asks for it is an error.
- **Times of what never began.** CURLINFO_STARTTRANSFER_TIME is 0 after a time-out before the first byte; libcurl
  8.23 gives the time of the time-out.
- **Error texts** are Mote's own, apart from those that a program compares ([texts.md](texts.md)).

## Where it is the same though the manual is silent

- Of HTTPGET, POST, NOBODY, UPLOAD, PUT, POSTFIELDS and COPYPOSTFIELDS the last one that was set decides the
  method, but POSTFIELDS and whatever is set to 0 leave a NOBODY that is on.
- What asks for nothing (0, NULL, the default) is accepted of every option, also of what is left out.
- A line that the header callback gets is followed by a NUL, which CURLOPT_HEADERFUNCTION(3) does not promise and
  programs rely on (GStreamer's curlhttpsrc).

## Where the command is otherwise on purpose

`mote` takes the command lines of the newest curl, with these exceptions.

| what | curl | mote | reason |
| --- | --- | --- | --- |
| `-T` of a directory | sends an empty body | 26 | a backup that sends nothing should not look done |
| `-OJ` and a server's name that begins with a dot | takes it | takes the URL's name | a server could write `.bashrc` |
| an option that is not built in | 2, 4, 27 or 48, one line or two | 2, one line that names it | scripts have one code to look at |
| warnings, notes | `Warning:`, `Note:` | `mote: warning:`, `mote: note:`; curl's with the name of curl | who speaks is seen in a log |
| errors of a file | the callback that failed | the file and the system's reason | that is what can be mended |
| globs and texts of one URL | fewer or more, by version | 255 | a ceiling, like every other |
| `--libcurl` | lists callbacks that have to be written | writes a program that runs | it can be compiled and compared |
| the file of `--libcurl` | as the umask says | for its owner alone | passwords are in it |
| `--retry` of a download to a file | begins again | asks for the rest, where an ETag or a date shows the same document | fewer bytes |
| the home folder of the user database | looked into after `$HOME` | looked into where `$HOME` is not set | a start that loads less |
| `--next` after more output options than URLs | leaves out what follows it, and exits with the code of what was done | makes all transfers | nothing that was asked for is left out silently |
| `--get` with `--url-query` | the query has the `--data` alone | has both | as above |
| `--variable` with a text that is none | a warning; the variable is empty | 2 | the request would lack it |
| `--silent=0`, `--max-time 5x` | `=0` and `x` are skipped | 2 | it is a slip, or means the opposite |
| short forms of long options (`--sil`) | unknown | known where no other option begins so | old scripts have them |
| config files with CRLF | the CR belongs to an option without value | is a blank | files from other systems |
| `--limit-rate` of an upload | a second's bytes at once, then a pause | spreads them over the second | no bursts |
| lines of information in `--trace` | `* ` | `== Info: `, as 7.88 | programs read them |
| the progress meter | wider figures, times without hours | the columns of 7.88 | programs read them |
| `--progress-bar` of an unknown size | the last picture stays | an empty line | the signs mean nothing afterwards |
| `--quote` of SFTP: `chown`, `chgrp` | 8.23 takes no number for one | as its manual says | older ones do |

## Options

*works*: as in libcurl. *differs*: works, but for what the last column says, compared with libcurl 7.88.1 and the
changes since. *accepted*: checked and forgotten, for the reason in the last column. *not built in*: any value that
asks for something answers as the last column says, and changes nothing.

The rule for what is left out: what is harmless when it is ignored is accepted, so that a program that stops at the
first refused option works; what would change what is sent or checked is never ignored. *refused*: not built in, and
a program that goes on nevertheless gets CURLE_NOT_BUILT_IN from its transfers, until the option is set to what asks
for nothing.

The default is given where it is a number other than 0.
"""


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as f:
        return f.read()


def older_names(text):
    """By the name of a row: other names of the same number."""
    found = {}
    for old, name in re.findall(r"^    OLDER\((\w+), (\w+)\)$", text, re.M):
        found.setdefault(name, []).append("CURLOPT_" + old)
    return found


def readers():
    """All names of options in the code that uses them."""
    found = set()
    for folder in ("api", "connect", "engine", "http", "protocol", "transfer"):
        for path in glob.glob(os.path.join(ROOT, "src", folder, "**", "*.[ch]"), recursive=True):
            found |= set(re.findall(r"\bCURLOPT_(\w+)", re.sub(r"/\*.*?\*/", "", read(path), flags=re.S)))
    return found


def limits():
    """Defaults that a profile may lower, by name: what they are where it does not."""
    return dict(re.findall(r"^#define (MOTE_MAX_\w+) (\d+)$", read("src/transfer/options/option_rows.h"), re.M))


def state_of(macro, differs):
    if macro == "HAVE":
        return "differs" if differs else "works"
    return {"HARMLESS": "accepted", "REFUSE": "refused"}.get(macro, "not built in")


def remark_of(name, macro, rule, text, heading, facts):
    parts = []
    if macro in ("LACK", "REFUSE"):
        parts.append(ANSWERS.get(rule, "CURLE_UNKNOWN_OPTION"))
    if macro == "HARMLESS" and not text and heading not in HARMLESS:
        sys.exit(f"gen_compat.py: {name}: why is it accepted?")
    if text or macro == "HARMLESS":
        parts.append(text or HARMLESS[heading])
    becomes = BECOMES.get(name) or ("CURLOPT_" + facts["targets"][name] if name in facts["targets"] else "")
    if becomes:
        parts.append(f"sets {becomes}")
    if name in facts["older"]:
        parts.append("also " + ", ".join(facts["older"][name]))
    if macro == "HAVE" and not becomes and name not in KEPT_ELSEWHERE and name not in facts["readers"]:
        sys.exit(f"gen_compat.py: {name} is said to work, but nothing reads it")
    return "; ".join(parts)


def default_of(value, limits):
    value = limits.get(value.strip(), value.strip())
    if re.fullmatch(r"0\d+", value):
        return value
    if re.fullmatch(r"-?\d+", value):
        return "" if int(value) == 0 else value
    zero = value.endswith(("_NONE", "VERSION_DEFAULT", "AUTH_DEFAULT", "_WHATEVER", "_IGNORED", "PROXY_HTTP"))
    return "" if zero else value.replace("|", "\\|")


def page():
    text = read("src/transfer/options/option_rows.inc")
    facts = {"targets": dict(re.findall(r"^    SETS\((\w+), (\w+)\)$", text, re.M)), "older": older_names(text),
             "readers": readers(), "limits": limits()}
    out, names, heading = HEAD, set(), ""
    for m in ROW.finditer(text):
        title, differs, remark, macro, name, rule, value = m.groups()
        if title:
            heading = title
            out += (f"\n### {title[0].upper()}{title[1:]}\n\n| option | state | default | remark |\n"
                    "| --- | --- | --- | --- |\n")
            continue
        names.add(name)
        remark = remark_of(name, macro, rule, remark, heading, facts)
        out += f"| CURLOPT_{name} | {state_of(macro, differs)} | {default_of(value, facts['limits'])} | {remark} |\n"
    count = len(re.findall(rf"^  (?:{KINDS})\(", text, re.M))
    if len(names) != count:
        sys.exit("gen_compat.py: a row of the table is not of the usual form")
    lines = read("tests/interface/tables/easy_options.tsv").splitlines()[1:]
    missing = {line.split("\t")[0][8:] for line in lines} - names
    if missing:
        sys.exit("gen_compat.py: no row for " + ", ".join(sorted(missing)))
    return out


def main():
    text = page()
    if sys.argv[1:] == ["--check"]:
        if not os.path.exists(os.path.join(ROOT, PAGE)) or read(PAGE) != text:
            sys.exit(f"gen_compat.py: {PAGE} is not up to date: run tools/gen_compat.py")
    elif sys.argv[1:]:
        sys.exit(__doc__.strip())
    else:
        with open(os.path.join(ROOT, PAGE), "w", encoding="utf-8") as f:
            f.write(text)


main()
