"""What options add to a further GET: proxies, logins, files of hosts."""
from .figure import Void, gives
from .servers import challenge, proxies
from .watch import again


def own_calls(s, options=(), base=None):
    """Own allocations of the first and the third GET, and the bytes kept after the first."""
    phases = s.get(f"{base or s.srv.http}/small", 1024, 3, options, counted=True)[0]["perform"]
    return phases[0]["own_calls"], phases[2]["own_calls"], phases[0]["live"]


@gives("connect_first_allocs", "connect_again_allocs", "socks_first_allocs", "socks_again_allocs", "socks_bytes",
       "proxy_again_allocs")
def by_proxies(s):
    """What proxies add to the allocations of GETs on one connection."""
    with proxies.Proxy(int(s.srv.http.rsplit(":", 1)[1])) as proxy:
        first, further, live = own_calls(s)
        tunnel = own_calls(s, (f"PROXY=http://127.0.0.1:{proxy.port}", "HTTPPROXYTUNNEL=1"))
        socks = own_calls(s, (f"PROXY=socks5://127.0.0.1:{proxy.port}",))
        forwarded = own_calls(s, (f"PROXY=http://127.0.0.1:{proxy.port}",))
    if proxy.used != 3:
        raise Void(f"{proxy.used} connections to the proxy instead of 3")
    return {"connect_first_allocs": tunnel[0] - first, "connect_again_allocs": tunnel[1] - further,
            "socks_first_allocs": socks[0] - first, "socks_again_allocs": socks[1] - further,
            "socks_bytes": socks[2] - live, "proxy_again_allocs": forwarded[1]}


@gives("instructions_connect", "instructions_proxy")
def instructions_proxies(s):
    with proxies.Proxy(int(s.srv.http.rsplit(":", 1)[1])) as proxy:
        http = f"PROXY=http://127.0.0.1:{proxy.port}"
        return {"instructions_connect": again(s, (http, "HTTPPROXYTUNNEL=1")) - again(s), "instructions_proxy": again(s, (http,))}


def netrc_file(s, machines):
    """So many machines, of which the last is the server."""
    text = "".join(f"machine host{i:04d}.example.com login user{i} password secret{i}\n" for i in range(machines - 1))
    name = f"netrc{machines}"
    s.srv.file(name, data=(text + "machine 127.0.0.1 login me password secret\n").encode())
    return "NETRC=2", f"NETRC_FILE={s.srv.path(name)}"


@gives("basic_again_allocs", "netrc_again_allocs")
def logins(s):
    """What credentials add to the allocations of a further GET."""
    plain = own_calls(s)[1]
    return {"basic_again_allocs": own_calls(s, ("USERPWD=me:secret",))[1] - plain,
            "netrc_again_allocs": own_calls(s, netrc_file(s, 1))[1] - plain}


@gives("instructions_netrc")
def instructions_netrc(s):
    return {"instructions_netrc": again(s, netrc_file(s, 1001)) - again(s)}


def host_files(s):
    """Options for a file of 1,000 hosts of HSTS, and for one of alternative services; none is asked for."""
    names, end = [f"host{i:04d}.example.com" for i in range(1000)], '"20300101 00:00:00"'
    s.srv.file("hsts", data="".join(f"{name} {end}\n" for name in names).encode())
    s.srv.file("altsvc", data="".join(f"h1 {name} 443 h1 alt.example.com 443 {end} 0 0\n" for name in names).encode())
    return ("HSTS_CTRL=1", f"HSTS={s.srv.path('hsts')}"), ("ALTSVC_CTRL=8", f"ALTSVC={s.srv.path('altsvc')}")


@gives("hsts_bytes", "altsvc_bytes")
def known_hosts(s):
    """The first GET reads the file."""
    plain = own_calls(s)[2]
    hsts, altsvc = ((own_calls(s, options)[2] - plain) / 1000 for options in host_files(s))
    return {"hsts_bytes": hsts, "altsvc_bytes": altsvc}


@gives("instructions_hsts", "instructions_altsvc")
def instructions_hosts(s):
    """HSTS looks for names alone."""
    none, hsts, altsvc = (again(s, options, s.srv.http.replace("127.0.0.1", "localhost")) for options in ((), *host_files(s)))
    return {"instructions_hsts": hsts - none, "instructions_altsvc": altsvc - none}


@gives("digest_again_allocs", "instructions_digest")
def digest(s):
    with challenge.Server() as srv:
        options = ("HTTPAUTH=2", "USERPWD=me:secret")
        return {"digest_again_allocs": own_calls(s, options, srv.url)[1],
                "instructions_digest": again(s, options, srv.url)}
