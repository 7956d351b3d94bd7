"""The functions of all figures: what can be counted, and what depends on the machine's speed."""
from . import allocations, clock, command, cookies, doh, forms, http2, http3, layout, options, requests, talks, websocket

# what tools/history.py measures of each commit
OF_EVERY_COMMIT = [
    allocations.first_get, allocations.further_megabytes, allocations.first_https_get, allocations.first_https_get_bearssl,
    allocations.pair, allocations.active(1000), allocations.active(5000), allocations.active_https(1000),
    allocations.idle, allocations.idle_https, allocations.multi_again,
    command.tool_download, command.tool_instructions, command.tool_static_instructions, command.tool_system_calls,
    requests.instructions_get, requests.instructions_mb, requests.instructions_event,
    forms.forms, forms.instructions_form, cookies.cookies, cookies.instructions_cookie,
    options.by_proxies, options.instructions_proxies, options.logins, options.instructions_netrc, options.digest,
    options.known_hosts, options.instructions_hosts,
    talks.ftp, talks.instructions_ftp, talks.mail, talks.instructions_mail,
    requests.system_calls_get, requests.receive_calls_mb, layout.writable, layout.struct_sizes,
]
MEASURES = {
    "count": [*OF_EVERY_COMMIT, *doh.COUNTED, *http2.COUNTED, *http3.COUNTED, *websocket.COUNTED],
    "clock": [clock.start, clock.rate_ratio, clock.tool_clock, *http2.TIMED, *http3.TIMED],
}
