/* proxy_server.c: the handshakes of proxies, RFC 1928 and 1929 (SOCKS 5), the memo on SOCKS 4 and 4a, and
 * CONNECT.
 *
 * A message is taken out of the beginning of `http.in` when it is whole. After the last one the connection
 * is an http1 server's. */
#include "proxy_server.h"

#include <string.h>

#include "http1_server.h"
#include "port/sim/sim.h"

enum stage {
  STAGE_FIRST,    /* the first byte says which protocol it is */
  STAGE_LOGIN,    /* of SOCKS 5 */
  STAGE_REQUEST,  /* of SOCKS 5 */
  STAGE_TUNNEL,   /* HTTP to a host, or to this proxy */
  STAGE_REFUSED   /* the last answer is sent */
};

struct proxy {
  struct http1 http; /* first: http1_server.c finds it there */
  enum stage stage;
};

static unsigned chance, wrongs;

void proxy_begin(unsigned wrong)
{
  chance = wrong;
  wrongs = 0;
}

unsigned proxy_wrongs(void)
{
  return wrongs;
}

static bool goes_wrong(void)
{
  bool wrong = mote_sim_chance("a proxy's handshake goes wrong", chance);
  wrongs += wrong;
  return wrong;
}

static void proxy_take(struct proxy *s, size_t n)
{
  memmove(s->http.in, s->http.in + n, s->http.in_len - n);
  s->http.in_len -= n;
}

static void proxy_answer(struct mote_sim_peer *p, const void *bytes, size_t len)
{
  (void)mote_sim_peer_write(p, bytes, len);
}

static void enter_tunnel(struct proxy *s, unsigned host)
{
  if(host >= HOSTS)
    mote_sim_broken("a proxy is asked for a host that is none");
  s->stage = STAGE_TUNNEL;
  s->http.here = host;
}

/* Sends an answer that says no, or part of one, or other bytes, or nothing; and ends. */
static void refuse(struct mote_sim_peer *p, struct proxy *s, const void *no, size_t len)
{
  s->stage = STAGE_REFUSED;
  switch(mote_sim_draw("how a proxy is wrong", 4)) {
  case 0:
    proxy_answer(p, no, len);
    break;
  case 1:
    proxy_answer(p, no, len / 2);
    break;
  case 2:
    proxy_answer(p, "\xff\xfe\xfd\xfc\xfb\xfa\xf9\xf8\xf7\xf6\r\n\r\n", 14);
    break;
  default:
    break;
  }
  mote_sim_peer_close(p);
}

/* ---- SOCKS 4 ---- */

/* The host of an address as scene.c gives them out. */
static unsigned host_of_ip4(const unsigned char *ip)
{
  return ip[0] == 10 ? ip[2] - 1u : HOSTS;
}

static bool step_socks4(struct mote_sim_peer *p, struct proxy *s)
{
  const unsigned char *m = (const unsigned char *)s->http.in;
  const char *user_end, *name_end;
  size_t len = s->http.in_len;
  unsigned host;
  if(len < 9)
    return false;
  user_end = memchr(m + 8, 0, len - 8);
  if(!user_end)
    return false;
  name_end = user_end;
  host = host_of_ip4(m + 4);
  if(!m[4] && !m[5] && !m[6] && m[7]) { /* 4a: a name follows */
    name_end = memchr(user_end + 1, 0, len - (size_t)(user_end + 1 - s->http.in));
    if(!name_end)
      return false;
    host = http1_host(user_end + 1, (size_t)(name_end - user_end - 1));
  }
  if(m[1] != 1 || m[2] || m[3] != 80)
    mote_sim_broken("a SOCKS 4 request that is none");
  proxy_take(s, (size_t)(name_end + 1 - s->http.in));
  if(goes_wrong()) {
    refuse(p, s, "\0\x5b\0\0\0\0\0\0", 8);
    return true;
  }
  proxy_answer(p, "\0\x5a\0\0\0\0\0\0", 8);
  enter_tunnel(s, host);
  return true;
}

/* ---- SOCKS 5 ---- */

static bool step_methods(struct mote_sim_peer *p, struct proxy *s)
{
  const unsigned char *m = (const unsigned char *)s->http.in;
  bool login;
  if(s->http.in_len < 2 || s->http.in_len < 2u + m[1])
    return false;
  login = memchr(m + 2, 2, m[1]) != NULL;
  if(!login && !memchr(m + 2, 0, m[1]))
    mote_sim_broken("SOCKS 5 without a method that needs none");
  proxy_take(s, 2u + m[1]);
  if(goes_wrong()) {
    refuse(p, s, "\5\xff", 2);
    return true;
  }
  proxy_answer(p, login ? "\5\2" : "\5\0", 2);
  s->stage = login ? STAGE_LOGIN : STAGE_REQUEST;
  return true;
}

static bool step_login(struct mote_sim_peer *p, struct proxy *s)
{
  static const char right[] = "\1\7" PROXY_USER "\10" PROXY_PASSWORD;
  size_t len = sizeof right - 1;
  if(s->http.in_len < len)
    return false;
  if(memcmp(s->http.in, right, len))
    mote_sim_broken("a SOCKS 5 login that is not the proxy's");
  proxy_take(s, len);
  if(goes_wrong()) {
    refuse(p, s, "\1\1", 2);
    return true;
  }
  proxy_answer(p, "\1\0", 2);
  s->stage = STAGE_REQUEST;
  return true;
}

static bool step_socks5(struct mote_sim_peer *p, struct proxy *s)
{
  const unsigned char *m = (const unsigned char *)s->http.in;
  size_t len = s->http.in_len, need;
  unsigned host;
  if(len < 5)
    return false;
  need = m[3] == 1 ? 10u : m[3] == 4 ? 22u : 7u + m[4];
  if(len < need)
    return false;
  if(m[0] != 5 || m[1] != 1 || m[2] || m[need - 2] || m[need - 1] != 80)
    mote_sim_broken("a SOCKS 5 request that is none");
  if(m[3] == 3)
    host = http1_host(s->http.in + 5, m[4]);
  else
    host = m[3] == 1 ? host_of_ip4(m + 4) : m[19] - 1u;
  proxy_take(s, need);
  if(goes_wrong()) {
    refuse(p, s, "\5\4\0\1\0\0\0\0\0\0", 10);
    return true;
  }
  proxy_answer(p, "\5\0\0\1\0\0\0\0\0\0", 10);
  enter_tunnel(s, host);
  return true;
}

/* ---- HTTP ---- */

/* CONNECT, or the first request of one who sends whole URLs. */
static bool step_http(struct mote_sim_peer *p, struct proxy *s)
{
  static const char no[] = "HTTP/1.1 403 No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
  const char *end = memmem(s->http.in, s->http.in_len, "\r\n\r\n", 4);
  const char *name = s->http.in + 8;
  size_t head;
  unsigned host;
  if(s->http.in_len < 8)
    return false;
  if(memcmp(s->http.in, "CONNECT ", 8)) {
    s->stage = STAGE_TUNNEL;
    s->http.by_proxy = true;
    return true;
  }
  if(!end)
    return false;
  head = (size_t)(end - s->http.in) + 4;
  host = http1_host(name, strcspn(name, ":\r"));
  if(strncmp(name + strcspn(name, ":\r"), ":80 HTTP/1.1\r\n", 14))
    mote_sim_broken("a CONNECT that is none");
  if(memmem(s->http.in, head, MARK "0", 8) || memmem(s->http.in, head, "\r\nAuthorization", 15))
    mote_sim_broken("a server's login is sent to a proxy with CONNECT");
  proxy_take(s, head);
  if(goes_wrong()) {
    refuse(p, s, no, sizeof no - 1);
    return true;
  }
  proxy_answer(p, "HTTP/1.1 200 Tunnel\r\n\r\n", 23);
  enter_tunnel(s, host);
  return true;
}

static bool step_first(struct mote_sim_peer *p, struct proxy *s)
{
  if(!s->http.in_len)
    return false;
  if(s->http.in[0] == 4)
    return step_socks4(p, s);
  return s->http.in[0] == 5 ? step_methods(p, s) : step_http(p, s);
}

static bool step_proxy(struct mote_sim_peer *p, struct proxy *s)
{
  switch(s->stage) {
  case STAGE_FIRST:
    return step_first(p, s);
  case STAGE_LOGIN:
    return step_login(p, s);
  case STAGE_REQUEST:
    return step_socks5(p, s);
  default:
    return false;
  }
}

static void proxy_readable(struct mote_sim_peer *p)
{
  struct proxy *s = mote_sim_peer_state(p);
  if(s->stage < STAGE_TUNNEL) {
    s->http.in_len += mote_sim_peer_read(p, s->http.in + s->http.in_len, sizeof s->http.in - s->http.in_len);
    while(step_proxy(p, s))
      ;
  }
  if(s->stage == STAGE_TUNNEL)
    http1_go_on(p, &s->http);
  else if(mote_sim_peer_ended(p))
    mote_sim_peer_close(p);
}

static void proxy_writable(struct mote_sim_peer *p)
{
  http1_server.writable(p);
}

static void proxy_due(struct mote_sim_peer *p)
{
  http1_server.due(p);
}

const struct mote_sim_service proxy_server = {
  .state = sizeof(struct proxy),
  .readable = proxy_readable,
  .writable = proxy_writable,
  .due = proxy_due,
};
