/* Made by tools/gen_manual.py from src/tool/help/manual.txt and options_table.c: change those. */
#include "tool/help/manual.h"

#include <stddef.h>

const struct manual_text mote_cli_manual_before[] = {
  { "NAME",
    "mote - transfer a URL" },
  { "SYNOPSIS",
    "mote [options / URLs]\n"
    "mote exec [--memory] program [arguments]" },
  { "DESCRIPTION",
    "mote transfers files from and to servers by URL: over HTTP (1.0, 1.1, 2, and 3 where it "
    "is built in) and WebSocket, FTP, SFTP, SCP, TFTP and file:, mail over IMAP, POP3 and "
    "SMTP, and over MQTT, LDAP, RTSP, TELNET, Gopher and DICT. See PROTOCOLS. It takes the "
    "options of curl by the same names and with the same meaning, exits with curl's codes, and "
    "reads .curlrc. What it is for is memory: a transfer needs little of it, and --memory "
    "shows how much, --memory-graph when.\n"
    "Options for what is not built in are known by name and listed at the end of this page; "
    "--help marks them. None that would change what is sent or checked is passed over: it ends "
    "the command with a line that names it.\n"
    "Started by the name of curl (a link to it, a copy), or with --as-curl, it calls itself "
    "curl in requests and messages." },
  { "PROGRAMS OF LIBCURL",
    "\"mote exec\" runs a program that was written for libcurl, and the programs that it starts, "
    "on this library: \"mote exec git clone https://example.com/project\". Nothing is installed, "
    "and the program is not changed. With --memory each process that used the library leaves a "
    "table of what it took, on stderr after the program's own output. The exit code is the "
    "program's; 125 is a failure of mote's, 126 a program that cannot be run so: one that is "
    "linked statically, or has more rights than its user; 127 one that is not there. A host of "
    "the name \"exec\" is http://exec/." },
  { "URLS",
    "A URL without scheme has that of --proto-default. Without that option a host whose name "
    "begins with ftp., dict., ldap., imap., smtp. or pop3. is reached by that protocol, and "
    "any other one by HTTP. Several URLs are transferred one after the other, on one "
    "connection where that is possible; with --parallel side by side.\n"
    "A URL may stand for many: {one,two,three} is each of the words, [1-100] each of the "
    "numbers, [001-100] the same with zeros in front, [a-z] each of the letters; [1-100:10] "
    "and [a-z:2] take every tenth and every second. \\{ \\} \\[ \\] stand for themselves, and "
    "--globoff turns all of it off. In the name given to --output, #1 is the value of the "
    "first such part of the URL, #2 of the second. A part may have a name: {<host>one,two} is "
    "then #<host>. Such names in the pattern of --upload-file are known too." },
  { "PROTOCOLS",
    "What this build has is in the line \"Protocols:\" of --version. https, wss, ftps, imaps, "
    "pop3s, smtps, mqtts, ldaps and gophers are over TLS from the first byte; ftp, imap, pop3, "
    "smtp and ldap begin TLS after the greeting with --ssl or --ssl-reqd.\n"
    "* http, https: a GET; --data, --form and --json send a POST, --upload-file a PUT, --head "
    "asks for the headers\n"
    "* ws, wss: opens a WebSocket and shows what comes\n"
    "* ftp, ftps: a file; a folder, whose URL ends in \"/\", is listed; --upload-file stores, "
    "--quote sends commands\n"
    "* sftp, scp: the same over SSH; SCP does not list. The server's key must be in "
    "~/.ssh/known_hosts, or be named by --hostpubsha256 or --hostpubmd5\n"
    "* tftp: a file, down or up\n"
    "* file: a file of this machine, down or up\n"
    "* imap, imaps: imap://host/FOLDER;UID=1 is a mail, without the number the folders beneath "
    "are listed; --request sends another command, --upload-file appends a mail\n"
    "* pop3, pop3s: pop3://host/1 is a mail, without a number the mails are listed\n"
    "* smtp, smtps: --upload-file is a mail that goes from --mail-from to each --mail-rcpt\n"
    "* mqtt, mqtts: shows what is published to the topic that the path names; --data publishes "
    "to it\n"
    "* ldap, ldaps: the entries that the URL (RFC 4516) asks for\n"
    "* rtsp: asks for the server's OPTIONS\n"
    "* telnet: stdin goes to the server, what it sends to stdout; --telnet-option\n"
    "* gopher, gophers, dict: the document or definition that the URL names" },
  { "OUTPUT",
    "The response goes to stdout, or to a file with --output, --remote-name or --out-null, "
    "which belong to the URLs in the order in which they are given. Bytes are written as they "
    "come. On a terminal a body that looks binary is refused, and control characters that a "
    "server sent in headers are shown as \\x1b." },
  { "PROGRESS",
    "A meter on stderr shows how far the transfer is, unless the body goes to the terminal, or "
    "--silent or --no-progress-meter is given. --progress-bar shows a bar. With --parallel "
    "each transfer has a line, and there is one for all of them." },
  { "OPTIONS",
    "Short options without argument may stand together (-OLv); an argument may stick to a "
    "short option (-ofile) or follow a long one after a blank or \"=\". A switch is turned off "
    "by --no-name. A long option may be abbreviated as long as no other begins the same way. "
    "Where an option is given twice, the last one counts, unless it is one of a list." },
  { NULL, NULL }
};

const struct manual_text mote_cli_manual_notes[] = {
  { "alt-svc",
    "A server may say over TLS that it can be reached elsewhere. This file has what servers "
    "have said; it is read when it is needed and again when it has changed, and written after "
    "each transfer. An alternative by HTTP/1.1 is used, and one by HTTP/3 where that is built "
    "in; the certificate must still be the one of the URL's host. With \"\" alternatives are "
    "kept in memory alone. Of several files all are read and the last one is written." },
  { "as-curl",
    "The user agent is curl/ and the version of the interface; messages begin with \"curl:\", "
    "warnings with \"Warning:\". The same as a command that is installed as curl." },
  { "compressed",
    "A response in gzip, deflate, br or zstd is decompressed, as far as these are built in." },
  { "config",
    "Each line is an option with its argument, divided by white space, \"=\" or \":\". The dashes "
    "of long options may be left out. An argument with white space stands in double quotes, in "
    "which \\\\, \\\", \\t, \\n, \\r and \\v are known. \"#\" begins a comment at the start of a line, "
    "and after white space that follows an argument or an option that takes none. \"-\" reads "
    "stdin. An error in a line ends the command, as do files that include each other for ever, "
    "a line of more than 10 MB and a NUL byte. A file may begin with \"next\". --help and the "
    "like have no effect in it." },
  { "continue-at",
    "\"-\" continues after what the output file already has. Not together with --data, "
    "--no-clobber, --range, --remote-header-name or --remove-on-error. With --retry the next "
    "try asks for what the file lacks by then, or, if the document has changed since the last "
    "try, for what the first try asked for. Where the server does not give the rest, the file "
    "is left alone and the exit code is 33." },
  { "cookie",
    "Text with \"=\" is sent as it is, in the Cookie field. Anything else names a file of "
    "cookies, in Netscape's format or as Set-Cookie lines; \"-\" is the standard input. With a "
    "file, also one that does not exist or \"\", the command keeps the cookies that servers set, "
    "for all transfers of the operation. It may be given several times." },
  { "cookie-jar",
    "The file is written after each transfer, with the cookies of all files that were read and "
    "of all servers. It is written beside the old one, which it then replaces. If that fails, "
    "the old one stays and --verbose shows why. \"-\" is the standard output." },
  { "data",
    "Several are joined by \"&\". @file takes the file's text without its line ends, @- takes "
    "stdin. The request is a POST." },
  { "data-binary",
    "@file is sent as it is. A single @file of 64 KB and more is read while it is sent, and "
    "takes no memory, unless its content is needed before that." },
  { "data-urlencode",
    "\"content\", \"=content\", \"name=content\", \"@file\" or \"name@file\": what follows the name is "
    "encoded." },
  { "etag-compare",
    "The file is one that --etag-save wrote. One that is not there is taken as an empty one. "
    "With one URL only." },
  { "etag-save",
    "The ETag of a 2xx or 3xx answer; the last one counts. A 2xx answer without an ETag leaves "
    "an empty file. With one URL only." },
  { "fail",
    "The exit code is 22 for a response of 400 and above. The last of --fail and "
    "--fail-with-body counts." },
  { "fail-early",
    "Otherwise the last transfer decides the exit code." },
  { "header",
    "\"Name:\" removes a header that would be sent, \"Name;\" sends one without value, @file reads "
    "headers from a file." },
  { "help",
    "Without a subject the most common options, with a category (\"all\" for every option, "
    "\"category\" for a list of them) its options, with an option, as in -h --data or -h -d, "
    "what this page says of it." },
  { "hsts",
    "An http URL of a host in this file becomes an https one. The file is read when it is "
    "needed and again when it has changed, and written after each transfer with what servers "
    "have asked for over TLS, beside the old one, which it then replaces. With \"\" the hosts "
    "are kept in memory alone. Of several files all are read and the last one is written." },
  { "http3",
    "By QUIC or by TCP, whichever is ready first; a proxy gets the request by TCP. Where the "
    "library is built without HTTP/3 the command ends with the exit code 2." },
  { "http3-only",
    "By QUIC alone, and not by a proxy." },
  { "insecure",
    "Without verification everyone on the way can read and change what is transferred." },
  { "json",
    "Sent as a POST with Content-Type and Accept of application/json. Several are put together "
    "without anything between them." },
  { "libcurl",
    "The program sets the options that this command sets, with the functions of curl/curl.h, "
    "and makes the transfers one after the other; it stands for any libcurl. What the command "
    "does besides (retries, --write-out, names from headers) stands in a comment. Passwords "
    "are in it as they are, so that only its owner may read it. \"-\" is stdout." },
  { "limit-rate",
    "The number may end in k, M, G, T or P; 1.5M is 1536k." },
  { "manual",
    "This page, as text. One section of it: --help --option." },
  { "max-filesize",
    "The number may end in k, M, G, T or P; 1.5M is 1536k." },
  { "max-redirs",
    "50 if not given; -1: no limit." },
  { "memory",
    "A table on stderr. For each part of the library, for the TLS library and for the command "
    "itself: how many allocations, how many bytes at most at one time, how many when all of it "
    "together was at its peak, and how many are held at the end. The last line is all of it "
    "together." },
  { "memory-graph",
    "An SVG picture for all transfers of the command line: bytes held over time, as stacked "
    "areas by part of the library, the TLS library's (OpenSSL's) and the command's own; the "
    "bodies received on a second scale; and beside it what the peak was made of. The pointer "
    "shows the figures of a moment. \"-\" is stdout. The recording takes a fixed amount of "
    "memory, which the picture states and does not count. A file that cannot be written leaves "
    "the transfers alone; the exit code is then 23, if it is not a transfer's. With --memory "
    "there are both." },
  { "next",
    "What is given after it holds for the URLs after it only; options of the category \"global\" "
    "hold everywhere." },
  { "no-clobber",
    "A dot and a number from 1 to 100 are added to the name of a file that exists." },
  { "output",
    "\"-\" is stdout, and allows binary to a terminal." },
  { "parallel-max",
    "50 if not given." },
  { "proto",
    "A list with commas; \"+\", \"-\" and \"=\" in front of a name permit, deny, and permit alone. "
    "\"all\" is every protocol." },
  { "rate",
    "N/s, N/m, N/h or N/d; 5/2s is five in two seconds." },
  { "remote-header-name",
    "The name is that of Content-Disposition, without a path; with --location and no such "
    "header, that of the last redirect's target. A name that begins with a dot is not taken. "
    "An existing file is not overwritten unless --clobber is given." },
  { "remote-name",
    "The part of the URL after the last slash. A URL that ends with a slash gives the name of "
    "its last folder, one without a path \"curl_response\"." },
  { "retry",
    "A timeout, a name that was not found, and the responses 408, 429, 500, 502, 503, 504, 522 "
    "and 524 are tried again, after one second, then two, four and so on up to ten minutes, or "
    "when Retry-After says. Where a file has the beginning of a document, the server takes "
    "ranges, and an ETag or a date shows that it is still the same document, the next try asks "
    "for the rest only." },
  { "show-headers",
    "--include is another name for it." },
  { "ssl-sessions",
    "Those who have the file can take over the sessions in it." },
  { "time-cond",
    "A date, or a file whose time is taken; with \"-\" in front only what is older is "
    "transferred." },
  { "trace",
    "\"-\" is stdout, \"%\" is stderr." },
  { "trace-config",
    "Names of parts, with a comma between them; \"all\" is all of them. \"ids\" and \"time\" stand "
    "for --trace-ids and --trace-time." },
  { "upload-file",
    "\"-\" is stdin; \".\" is stdin too, and the response is shown while stdin has nothing. The "
    "method is PUT. A URL that ends in a slash gets the file's name." },
  { "url",
    "@file takes a URL from each line, as it is, and saves it under its own name, as with "
    "--remote-name, unless another output is given for it. Lines that begin with \"#\" are "
    "comments." },
  { "url-query",
    "As --data-urlencode; with \"+\" in front it is taken as it is." },
  { "user",
    "\"name:password\". Without a password it is asked for." },
  { "variable",
    "name=text, name@file, %NAME from the environment (%NAME=text if that is not set), "
    "name[0-9]=text for a range of bytes. In the argument of --expand-option, {{name}} is "
    "replaced by the variable, {{name:trim}} by what the functions trim, json, url, b64, 64dec "
    "make of it." },
  { "write-out",
    "The text may come from @file or, with @-, from stdin. \\n, \\r and \\t are line end, "
    "carriage return and tab, %% is a percent sign. See VARIABLES." },
  { NULL, NULL }
};

const struct manual_text mote_cli_manual_after[] = {
  { "OPTIONS THAT ARE NOT BUILT IN",
    "Known by name, for what no build has yet (NTLM and others). One that would change what is "
    "sent or checked ends the command with one line and the exit code 2, before a byte is "
    "sent; one that changes nothing in this build is accepted.\n"
    "--dns-interface, --dns-ipv4-addr, --dns-ipv6-addr, --dns-servers, --ech, --false-start, "
    "--ipfs-gateway, --metalink, --ntlm, --proxy-http3, --proxy-ntlm, --proxy-tlsauthtype, "
    "--proxy-tlspassword, --proxy-tlsuser, --tlsauthtype, --tlspassword, --tlsuser." },
  { "OPTIONS WITHOUT EFFECT",
    "Accepted for old command lines, with a warning:\n"
    "--egd-file, --krb, --no-npn, --ntlm-wb, --random-file, --sslv2, --sslv3." },
  { "VARIABLES",
    "Known in the text of --write-out:\n"
    "certs, conn_id, content_type, errormsg, exitcode, filename_effective, ftp_entry_path, "
    "header_json, http_code, http_connect, http_version, json, local_ip, local_port, "
    "mem_allocs, mem_peak, method, num_certs, num_connects, num_headers, num_redirects, "
    "num_retries, onerror, proxy_ssl_verify_result, proxy_used, redirect_url, referer, "
    "remote_ip, remote_port, response_code, scheme, size_delivered, size_download, "
    "size_header, size_request, size_upload, speed_download, speed_upload, ssl_verify_result, "
    "stderr, stdout, time_appconnect, time_connect, time_namelookup, time_posttransfer, "
    "time_pretransfer, time_queue, time_redirect, time_starttransfer, time_total, "
    "tls_earlydata, url, url_effective, urlnum, xfer_id.\n"
    "%header{name} is a header of the last response, %header{name:all:separator} all of that "
    "name in all responses. %output{file} sends what follows to a file (%output{>>file} adds "
    "to it). %time{format} is the time in UTC as strftime(3) writes it, with %f for "
    "microseconds. url.host, urle.host and the like are parts of the URL that was asked for "
    "and of the last one: scheme, user, password, options, host, port, path, query, fragment, "
    "zoneid. mem_peak and mem_allocs are bytes at most and allocations of the library." },
  { "EXAMPLES",
    "Show a page, with its headers:\n"
    "$ mote -i https://example.com/\n"
    "Save a file under its own name, go on after a break, try again three times:\n"
    "$ mote -O -C - https://example.com/big.iso\n"
    "$ mote -O --retry 3 https://example.com/big.iso\n"
    "A hundred files, ten at a time:\n"
    "$ mote -Z --parallel-max 10 -o 'page#1.html' 'https://example.com/[001-100].html'\n"
    "Send a form, JSON, a file:\n"
    "$ mote -d name=value -d other=thing https://example.com/form\n"
    "$ mote --json '{\"on\": true}' https://example.com/lamp\n"
    "$ mote -T backup.tar https://example.com/store/\n"
    "Follow redirects, fail on an error of the server, say nothing but errors (for scripts):\n"
    "$ mote -fsSL -o list.txt https://example.com/list\n"
    "Fetch only what has changed:\n"
    "$ mote --etag-compare etag --etag-save etag -o list.txt https://example.com/list\n"
    "See what goes over the wire, and what a transfer costs:\n"
    "$ mote -v --out-null https://example.com/\n"
    "$ mote --out-null --memory -w '%{time_total} s, %{size_download} bytes\\n' "
    "https://example.com/\n"
    "Turn a command line into a C program:\n"
    "$ mote --libcurl fetch.c -o page.html https://example.com/" },
  { "FILES",
    "~/.curlrc is read first unless --disable comes first on the command line. The first of "
    "these that exists is taken: $CURL_HOME/.curlrc, $XDG_CONFIG_HOME/curlrc, "
    "$XDG_CONFIG_HOME/.curlrc, ~/.curlrc, $CURL_HOME/.config/curlrc, ~/.config/curlrc." },
  { "ENVIRONMENT",
    "* CURL_CA_BUNDLE, SSL_CERT_FILE: file of CA certificates, in place of --cacert\n"
    "* SSL_CERT_DIR: directory of CA certificates, in place of --capath\n"
    "* CURL_SSL_BACKEND: the TLS library, where several are built in: openssl, bearssl, "
    "mbedtls or wolfssl\n"
    "* SSLKEYLOGFILE: file for the secrets of TLS connections\n"
    "* CURL_HOME, XDG_CONFIG_HOME, HOME: where .curlrc and .ssh/known_hosts are\n"
    "* COLUMNS: width of the terminal\n"
    "* http_proxy, HTTPS_PROXY, FTP_PROXY and so on, ALL_PROXY: the proxy for URLs of that "
    "scheme, for all; a transfer that would need one that is not built in ends with an error\n"
    "* NO_PROXY: hosts that are reached without a proxy, divided by commas; \"*\" is all\n"
    "* NETRC: the file of --netrc, in place of ~/.netrc\n"
    "* SSH_AUTH_SOCK: the agent that has keys of SSH" },
  { "EXIT CODES",
    "The numbers are curl's. Of several transfers the last one decides, or with --fail-early "
    "the first that failed. \"mote exec\" has codes of its own, see PROGRAMS OF LIBCURL.\n"
    "* 0: success\n"
    "* 1: the protocol is not built in or not allowed\n"
    "* 2: the command line was refused; an option is not built in\n"
    "* 3: the URL is malformed\n"
    "* 4: a feature is not built in\n"
    "* 5, 6: the proxy's or the host's name was not found\n"
    "* 7: the connection failed\n"
    "* 8: the response makes no sense\n"
    "* 9: the server denies access\n"
    "* 10, 12: FTP: the server's connection for data failed, did not come in time\n"
    "* 11, 13, 14: FTP: no sense in the response to PASS, PASV or EPSV, 227\n"
    "* 16: an error of HTTP/2\n"
    "* 17: FTP: the type of the transfer was refused\n"
    "* 18: the response ended early\n"
    "* 19: FTP: the file was refused\n"
    "* 21: a command of --quote was refused\n"
    "* 22: HTTP error, with --fail\n"
    "* 23: writing failed\n"
    "* 25: the upload was refused\n"
    "* 26: reading failed\n"
    "* 27: out of memory\n"
    "* 28: out of time\n"
    "* 30, 31: FTP: PORT or EPRT, REST failed\n"
    "* 33: the range cannot be had\n"
    "* 35: the TLS handshake failed\n"
    "* 36: the file has no such offset to resume at\n"
    "* 37: the file of a file: URL cannot be opened\n"
    "* 38, 39: LDAP: the login, the search failed\n"
    "* 42: ended by a callback\n"
    "* 43: internal error\n"
    "* 45: the interface or local address cannot be used\n"
    "* 47: too many redirects\n"
    "* 48: the library does not know an option; TELNET: nor that of --telnet-option\n"
    "* 49: an option's text is malformed\n"
    "* 52: the server answered nothing\n"
    "* 53: there is no such engine for keys\n"
    "* 55, 56: sending, receiving failed\n"
    "* 58: the client certificate cannot be used\n"
    "* 59: the ciphers cannot be used\n"
    "* 60: the server's certificate, or its key of SSH, was not verified\n"
    "* 61: unknown content encoding\n"
    "* 63: the file is too large\n"
    "* 64: TLS that --ssl-reqd asks for cannot be had\n"
    "* 65: the data cannot be sent again\n"
    "* 67: the login was refused\n"
    "* 68, 69: TFTP: no such file, no permission\n"
    "* 70: the server's disk is full\n"
    "* 71, 72: TFTP: illegal operation, unknown transfer\n"
    "* 73: the file exists already\n"
    "* 74: TFTP: no such user\n"
    "* 77: the CA certificates cannot be read\n"
    "* 78: there is no such file on the server\n"
    "* 79: an error of SSH\n"
    "* 80: the TLS connection could not be ended\n"
    "* 82: the revocation list cannot be read\n"
    "* 83: the certificate is not of the issuer that was asked for\n"
    "* 84: FTP: PRET was refused\n"
    "* 85, 86: RTSP: numbers or sessions do not match\n"
    "* 87: FTP: a listing that a wildcard needs cannot be read\n"
    "* 90, 91: the public key, the certificate's status is not the one asked for\n"
    "* 92: an error of one stream of HTTP/2\n"
    "* 94: an authentication failed\n"
    "* 95: an error of HTTP/3\n"
    "* 96: QUIC found no connection\n"
    "* 97: the proxy's handshake failed\n"
    "* 98: the server wants a client certificate\n"
    "* 99: waiting for the network failed\n"
    "* 100: something is too large" },
  { "SEE ALSO",
    "curl(1), mote_need(3), mote_easy_limit(3), mote_init_static(3)" },
  { NULL, NULL }
};
