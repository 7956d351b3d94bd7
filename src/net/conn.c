/* net/conn.c: one connection with its streams, what it holds over, and its end. */
#include "net/conn.h"

#include <string.h>

#include "base/containers/list.h"
#include "base/memory.h"
#include "base/memory/ceiling.h"
#include "base/report.h"
#include "net/conn_struct.h"
#include "net/driver.h"
#include "port/port.h"
#include "port/sendfile.h"

#define HELD_STEP 256u   /* the held block grows in steps of this many bytes, then by doubling */
#define HELD_COPIED 512u /* most held bytes that a read copies to have the buffer's room after them */

/* The block of a connection for held bytes. Its size is c->held_cap. */
struct held_block {
  uint32_t from; /* where in bytes[] they begin: those in front of them were taken */
  char bytes[];  /* at c->held */
};

static CURLcode socket_failure(struct mote_stream *s, CURLcode rc, const char *what, int err)
{
  s->env->os_errno = err;
  mote_conn_report_failure(s->env->report, what, err);
  return rc;
}

static CURLcode tcp_recv(struct mote_stream *s, void *buf, size_t cap, size_t *n)
{
  struct mote_tcp *tcp = mote_container_of(s, struct mote_tcp, stream);
  int err = mote_port_recv(tcp->watch.fd, buf, cap, n);
  if(!err)
    return CURLE_OK;
  if(err == MOTE_PORT_AGAIN)
    return CURLE_AGAIN;
  return socket_failure(s, CURLE_RECV_ERROR, "Recv failure", err);
}

static CURLcode send_result(struct mote_stream *s, int err)
{
  if(!err)
    return CURLE_OK;
  if(err == MOTE_PORT_AGAIN)
    return CURLE_AGAIN;
  return socket_failure(s, CURLE_SEND_ERROR, "Send failure", err);
}

static CURLcode tcp_send(struct mote_stream *s, const void *buf, size_t len, size_t *n)
{
  struct mote_tcp *tcp = mote_container_of(s, struct mote_tcp, stream);
  return send_result(s, mote_port_send(tcp->watch.fd, buf, len, n));
}

static void tcp_close(struct mote_stream *s)
{
  struct mote_tcp *tcp = mote_container_of(s, struct mote_tcp, stream);
  struct mote_conn *c = mote_container_of(tcp, struct mote_conn, tcp);
  curl_socket_t fd = tcp->watch.fd;
  if(fd == CURL_SOCKET_BAD)
    return;
  if(c->set)
    mote_watch_remove(c->set, &tcp->watch);
  tcp->watch.fd = CURL_SOCKET_BAD;
  if(mote_conn_has_closer(c)) {
    struct mote_conn_closer closer;
    memcpy(&closer, c->tail + c->state_size, sizeof closer);
    closer.fn(closer.data, fd);
  }
  else
    mote_port_close(fd);
}

static const struct mote_stream_ops tcp_ops = {
  .recv = tcp_recv,
  .send = tcp_send,
  .close = tcp_close,
};

static size_t conn_size_of(size_t state_size, size_t key_len, bool has_closer)
{
  return sizeof(struct mote_conn) + state_size + key_len + (has_closer ? sizeof(struct mote_conn_closer) : 0);
}

static size_t conn_block_size(const struct mote_conn *c)
{
  return conn_size_of(c->state_size, c->key_len, mote_conn_has_closer(c));
}

void mote_conn_ceiling(const struct mote_conn_plan *plan, size_t count, struct mote_ceiling *c)
{
  mote_ceiling_add(c, count,
                   mote_ceiling_sum(conn_size_of(plan->state_size, 0, plan->closer), plan->key_len));
}

CURLcode mote_conn_new(struct mote_conn **out, struct mote_account *account,
                       const struct mote_conn_plan *plan)
{
  struct mote_conn *c;
  if(plan->key_len > UINT16_MAX)
    return CURLE_TOO_LARGE;
  c = mote_mem_zalloc(account, MOTE_PART_CONN, conn_size_of(plan->state_size, plan->key_len, plan->closer));
  if(!c)
    return CURLE_OUT_OF_MEMORY;
  c->key_len = (uint16_t)plan->key_len;
  c->state_size = (uint16_t)plan->state_size;
  mote_conn_init_links(c, plan->driver, plan->closer != NULL);
  c->env.account = account;
  c->tcp.stream.ops = &tcp_ops;
  c->tcp.stream.env = &c->env;
  c->tcp.watch.fd = CURL_SOCKET_BAD;
  c->top = &c->tcp.stream;
  if(mote_conn_has_closer(c))
    memcpy(c->tail + c->state_size, plan->closer, sizeof *plan->closer);
  memcpy((char *)(uintptr_t)mote_conn_key(c), plan->key, plan->key_len);
  *out = c;
  return CURLE_OK;
}

/* ---- the layers ---- */

/* The layer below has bytes for s already, for which no event will come. TLS stops reading after a session
 * ticket, so that there may be more below it. */
static bool is_served(const struct mote_stream *s, unsigned interest)
{
  const struct mote_stream *below = MOTE_HAS_PROXIES ? s->below : NULL;
  return below && (interest & MOTE_WANT_IN) && below->ops->pending && below->ops->pending(below);
}

/* Waits until layer s can do what `interest` says. The socket at the bottom wants just that. */
static CURLcode conn_wait_for(struct mote_conn *c, const struct mote_stream *s, unsigned interest)
{
  bool served = false;
  for(; s && interest; s = s->below) {
    if(s->ops->want)
      interest = s->ops->want(s, interest);
    served = served || is_served(s, interest);
  }
  if(served && c->set)
    c->tcp.watch.ready(&c->tcp.watch, MOTE_WANT_IN);
  return c->set ? mote_watch_want(c->set, &c->tcp.watch, interest) : CURLE_OK;
}

CURLcode mote_conn_want(struct mote_conn *c, unsigned interest)
{
  if(mote_conn_is_plain(c))
    return c->set ? mote_watch_want(c->set, &c->tcp.watch, interest) : CURLE_OK;
  return conn_wait_for(c, c->top, interest);
}

static struct mote_stream *conn_above(const struct mote_conn *c, const struct mote_stream *s)
{
  struct mote_stream *at = c->top;
  while(at->below != s)
    at = at->below;
  return at;
}

/* The next run goes on with a handshake that was interrupted (stream.h). No event will come. */
static void conn_go_on_soon(struct mote_conn *c, const struct mote_stream *s)
{
  if(c->set && s->ops->pending && s->ops->pending(s))
    c->tcp.watch.ready(&c->tcp.watch, MOTE_WANT_IN);
}

CURLcode mote_conn_handshake(struct mote_conn *c)
{
  struct mote_stream *s = &c->tcp.stream;
  while(s != c->top) {
    bool done = true;
    CURLcode rc;
    s = conn_above(c, s);
    rc = s->ops->handshake ? s->ops->handshake(s, &done) : CURLE_OK;
    if(!rc && done)
      continue;
    if((rc == CURLE_RECV_ERROR || rc == CURLE_SEND_ERROR) && s->role != MOTE_ROLE_TUNNEL)
      return CURLE_SSL_CONNECT_ERROR;
    if(!rc) {
      rc = conn_wait_for(c, s, MOTE_WANT_IN);
      conn_go_on_soon(c, s);
    }
    return rc ? rc : CURLE_AGAIN;
  }
  return CURLE_OK;
}

/* Goodbyes from the top down to *waits, which cannot go on now, or NULL. Returns the first error. */
static CURLcode say_goodbye(struct mote_conn *c, struct mote_stream **waits)
{
  CURLcode first = CURLE_OK;
  struct mote_stream *s;
  for(s = c->top; s; s = s->below) {
    bool done = true;
    CURLcode rc = s->ops->shutdown ? s->ops->shutdown(s, &done) : CURLE_OK;
    if(!first)
      first = rc;
    if(!rc && !done)
      break;
  }
  *waits = s;
  return first;
}

CURLcode mote_conn_shutdown(struct mote_conn *c)
{
  struct mote_stream *waits;
  CURLcode rc = say_goodbye(c, &waits);
  if(!waits)
    return rc;
  rc = conn_wait_for(c, waits, MOTE_WANT_OUT);
  return rc ? rc : CURLE_AGAIN;
}

CURLcode mote_conn_end_sending(struct mote_conn *c)
{
  CURLcode rc = mote_conn_shutdown(c);
  return rc ? rc : send_result(&c->tcp.stream, mote_port_shutdown(mote_conn_fd(c)));
}

void mote_conn_idle(struct mote_conn *c)
{
  struct mote_stream *s;
  for(s = c->top; s; s = s->below)
    if(s->ops->idle)
      s->ops->idle(s);
}

bool mote_conn_pending(const struct mote_conn *c)
{
  const struct mote_stream *s;
  for(s = c->top; s; s = s->below)
    if(s->ops->pending && s->ops->pending(s))
      return true;
  return false;
}

/* No layer has bytes for the protocol, and none has ended. The topmost layer with bytes of its own reads
 * through all layers below it. */
static bool is_quiet(const struct mote_conn *c)
{
  struct mote_stream *s;
  for(s = c->top; s && !s->ops->quiet; s = s->below)
    if(s->ops->pending && s->ops->pending(s))
      return false;
  return s && s->ops->quiet(s);
}

/* Bytes that were received and not taken. A ticket that TLS has read ahead is none. */
static bool conn_has_bytes(const struct mote_conn *c)
{
  return c->held_len || c->lent_len || (mote_conn_pending(c) && !is_quiet(c));
}

static CURLcode refuse_bytes(const struct mote_conn *c, const char *when)
{
  (void)when;
  return mote_fail_as(CURLE_WEIRD_SERVER_REPLY, c->env.report, "The peer sent data %s. The data is refused",
                      when);
}

CURLcode mote_conn_push(struct mote_conn *c, struct mote_stream *s)
{
  if(conn_has_bytes(c)) {
    s->ops->close(s);
    return refuse_bytes(c, "ahead of the handshake");
  }
  c->top = s;
  return CURLE_OK;
}

/* CURLE_OK: the peer has ended the topmost layer. */
static CURLcode wait_for_end(struct mote_conn *c)
{
  char byte;
  size_t n;
  CURLcode rc = mote_conn_receive(c, &byte, 1, &n);
  if(!rc && n)
    return refuse_bytes(c, "instead of the end of TLS");
  if(rc != CURLE_AGAIN)
    return rc;
  rc = conn_wait_for(c, c->top, MOTE_WANT_IN);
  return rc ? rc : CURLE_AGAIN;
}

CURLcode mote_conn_pop(struct mote_conn *c, bool polite)
{
  struct mote_stream *s = c->top;
  bool done = true;
  CURLcode rc = CURLE_OK;
  if(c->held_len || c->lent_len)
    return refuse_bytes(c, "ahead of the end of TLS");
  if(polite && s->ops->shutdown)
    rc = s->ops->shutdown(s, &done);
  if(!rc && !done) {
    rc = conn_wait_for(c, s, MOTE_WANT_OUT);
    return rc ? rc : CURLE_AGAIN;
  }
  if(!rc)
    rc = wait_for_end(c);
  if(rc)
    return rc;
  if(s->ops->pending && s->ops->pending(s))
    return refuse_bytes(c, "after the end of TLS");
  c->top = s->below;
  c->saw_end = false;
  s->ops->close(s);
  return CURLE_OK;
}

bool mote_conn_alive(struct mote_conn *c)
{
  const struct mote_driver *driver = mote_conn_driver(c);
  bool unasked = driver && driver->unasked;
  enum mote_peek seen;
  if(c->saw_end || (c->held_len && !unasked) || mote_conn_fd(c) == CURL_SOCKET_BAD)
    return false;
  /* Bytes that come without a request are no response to the next one. With TLS they may also be a session
   * ticket, and the socket does not show what the TLS library has read already. */
  seen = mote_port_peek(mote_conn_fd(c));
  if(seen == MOTE_PEEK_QUIET && !mote_conn_pending(c))
    return true;
  return seen != MOTE_PEEK_CLOSED && (unasked || is_quiet(c));
}

/* ---- what a connection says of itself ---- */

void *mote_conn_state(struct mote_conn *c)
{
  return c->tail;
}

const char *mote_conn_key(const struct mote_conn *c)
{
  size_t closer = mote_conn_has_closer(c) ? sizeof(struct mote_conn_closer) : 0;
  return c->tail + c->state_size + closer;
}

struct mote_stream *mote_conn_layer(const struct mote_conn *c, unsigned role)
{
  struct mote_stream *s = c->top;
  while(s && s->role != role)
    s = s->below;
  return s;
}

bool mote_conn_has_tls(const struct mote_conn *c)
{
  return mote_conn_layer(c, MOTE_ROLE_TLS) != NULL;
}

bool mote_conn_is_plain(const struct mote_conn *c)
{
  return c->top == &c->tcp.stream;
}

CURLcode mote_conn_receive(struct mote_conn *c, void *buf, size_t size, size_t *n)
{
  struct mote_stream *s = c->top;
  CURLcode rc = CURLE_OK;
  *n = 0;
  if(!c->saw_end)
    rc = s->ops->recv(s, buf, size, n);
  if(!rc && !*n)
    c->saw_end = true;
  return rc;
}

curl_socket_t mote_conn_fd(const struct mote_conn *c)
{
  return c->tcp.watch.fd;
}

void mote_conn_leave_set(struct mote_conn *c)
{
  curl_socket_t fd = mote_conn_fd(c);
  if(c->set)
    mote_watch_remove(c->set, &c->tcp.watch);
  c->tcp.watch.fd = fd;
  c->set = NULL;
}

bool mote_conn_has_event(const struct mote_conn *c)
{
  return c->events != 0;
}

void mote_conn_clear_events(struct mote_conn *c)
{
  c->events = 0;
}

void mote_conn_look_again(struct mote_conn *c)
{
  c->events |= MOTE_WANT_IN;
}

size_t mote_conn_held(const struct mote_conn *c)
{
  return c->held_len;
}

bool mote_conn_at_end(const struct mote_conn *c)
{
  return c->saw_end;
}

void mote_conn_set_reusable(struct mote_conn *c, bool reusable)
{
  c->reusable = reusable;
}

/* ---- its end ---- */

/* NULL: nothing is held, or in borrowed room. */
static struct held_block *block_of(const struct mote_conn *c)
{
  return c->held_cap ? (void *)(c->held - offsetof(struct held_block, bytes)) : NULL;
}

void mote_conn_close(struct mote_conn *c, bool polite)
{
  struct mote_stream *s = c->top;
  struct mote_account *account = c->env.account;
  const struct mote_driver *driver = mote_conn_driver(c);
  if(polite)
    (void)say_goodbye(c, &s);
  for(s = c->top; s;) {
    struct mote_stream *below = s->below;
    s->ops->close(s);
    s = below;
  }
  if(driver && driver->discard)
    driver->discard(c);
  mote_mem_free(account, MOTE_PART_CONN, block_of(c), c->held_cap);
  mote_mem_free(account, MOTE_PART_CONN, c, conn_block_size(c));
}

/* ---- what is lent and held over ---- */

/* Bytes that fit into the block. */
static size_t block_room(const struct mote_conn *c)
{
  return c->held_cap ? c->held_cap - sizeof(struct held_block) : 0;
}

static char *held_bytes(const struct mote_conn *c)
{
  return c->held_cap ? c->held + block_of(c)->from : c->held;
}

size_t mote_conn_lend_held(struct mote_conn *c, char *buf, char **bytes)
{
  *bytes = held_bytes(c);
  if(!c->held_cap && c->held_len) {
    memcpy(buf, c->held, c->held_len);
    *bytes = buf;
  }
  c->lent = *bytes;
  c->lent_len = c->held_len;
  return c->held_len;
}

static size_t held_cap_for(size_t cap, size_t want)
{
  while(cap < want)
    cap *= 2;
  return cap;
}

static CURLcode grow_held(struct mote_conn *c, size_t want)
{
  size_t cap = held_cap_for(c->held_cap ? c->held_cap : HELD_STEP, sizeof(struct held_block) + want);
  struct held_block *b;
  if(cap == c->held_cap)
    return CURLE_OK;
  b = mote_mem_realloc(c->env.account, MOTE_PART_CONN, block_of(c), c->held_cap, cap);
  if(!b)
    return CURLE_OUT_OF_MEMORY;
  if(!c->held_cap) {
    b->from = 0;
    if(c->held_len)
      memcpy(b->bytes, c->held, c->held_len); /* out of the borrowed room */
  }
  c->held = b->bytes;
  c->held_cap = (uint32_t)cap;
  return CURLE_OK;
}

void mote_conn_held_ceiling(size_t size, size_t line, struct mote_ceiling *c)
{
  size_t most = (line + size / 2 > size ? line + size / 2 : size) + 1;
  mote_ceiling_add(c, 1, held_cap_for(HELD_STEP, sizeof(struct held_block) + most));
}

static void drop_held(struct mote_conn *c)
{
  mote_mem_free(c->env.account, MOTE_PART_CONN, block_of(c), c->held_cap);
  c->held = NULL;
  c->held_len = 0;
  c->held_cap = 0;
}

/* Lets `more` bytes fit into the block after the held ones, and one that stays free. While half of them do,
 * the held ones are not moved: a move is paid for by what is read between two of them. */
static CURLcode make_room(struct mote_conn *c, size_t more)
{
  struct held_block *b = block_of(c);
  size_t want = (size_t)c->held_len + more + 1;
  if(b && b->from + want - more / 2 <= block_room(c))
    return CURLE_OK;
  if(b && b->from) {
    memmove(b->bytes, b->bytes + b->from, c->held_len);
    b->from = 0;
  }
  return grow_held(c, want);
}

/* New bytes go after the held ones, and a byte stays free after them (struct mote_conn_loan). Few held bytes
 * are copied to the buffer, whose room is large. Many are not, as the next read may bring a single byte: they
 * are read on after in their block, with room for as many again, so that the reads of a long line become
 * longer with it. */
static CURLcode place_for_read(struct mote_conn *c, char *buf, size_t size, char **base, size_t *room)
{
  size_t half = size / 2;
  if(c->held_len <= (HELD_COPIED < half ? HELD_COPIED : half)) {
    *base = buf;
    *room = size - c->held_len - 1;
    return CURLE_OK;
  }
  if(make_room(c, c->held_len < half ? c->held_len : half))
    return CURLE_OUT_OF_MEMORY;
  *base = held_bytes(c);
  *room = block_room(c) - block_of(c)->from - c->held_len - 1;
  return CURLE_OK;
}

void mote_conn_unread(struct mote_conn *c, const char *bytes, size_t len)
{
  c->lent = bytes;
  c->lent_len = (uint32_t)len;
}

CURLcode mote_conn_read(struct mote_conn *c, char *buf, size_t size, size_t most,
                        struct mote_conn_loan *loan)
{
  char *base;
  size_t room, n;
  CURLcode rc;
  rc = place_for_read(c, buf, size, &base, &room);
  if(rc)
    return rc;
  if(room > most)
    room = most;
  rc = mote_conn_receive(c, base + c->held_len, room, &n);
  if(rc)
    return rc;
  if(base == buf && c->held_len)
    memcpy(buf, held_bytes(c), c->held_len); /* the block stays: hold() mostly needs it again */
  loan->bytes = base;
  loan->len = c->held_len + n;
  loan->end = !n;
  loan->full = n == room;
  c->lent = base;
  c->lent_len = (uint32_t)loan->len;
  return CURLE_OK;
}

void mote_conn_take(struct mote_conn *c, size_t n)
{
  c->lent += n;
  c->lent_len -= (uint32_t)n;
}

/* Lent bytes that lie in the block stay where they are: only what was taken in front of them is let go. */
static bool hold_in_place(struct mote_conn *c, const char *lent, size_t len)
{
  uintptr_t from = (uintptr_t)lent - (uintptr_t)c->held;
  if(from >= block_room(c)) /* also where there is no block */
    return false;
  block_of(c)->from = (uint32_t)from;
  c->held_len = (uint32_t)len;
  return true;
}

CURLcode mote_conn_hold(struct mote_conn *c, size_t ceiling, char *room, size_t room_size)
{
  const char *lent = c->lent;
  size_t len = c->lent_len;
  CURLcode rc;
  if(!lent)
    return CURLE_OK;
  c->lent = NULL;
  c->lent_len = 0;
  if(!len) {
    if(c->held)
      drop_held(c);
    return CURLE_OK;
  }
  if(len > ceiling)
    return CURLE_TOO_LARGE;
  if(hold_in_place(c, lent, len))
    return CURLE_OK;
  if(!c->held_cap && len < room_size)
    c->held = room;
  else {
    c->held_len = 0; /* lent bytes lie elsewhere */
    rc = grow_held(c, len + 1);
    if(rc)
      return rc;
    block_of(c)->from = 0;
  }
  memmove(c->held, lent, len);
  c->held_len = (uint32_t)len;
  return CURLE_OK;
}

CURLcode mote_conn_send(struct mote_conn *c, const void *buf, size_t len, size_t *n)
{
  return c->top->ops->send(c->top, buf, len, n);
}

CURLcode mote_conn_send_file(struct mote_conn *c, int file, size_t len, size_t *n)
{
  return send_result(&c->tcp.stream, mote_port_sendfile(c->tcp.watch.fd, file, len, n));
}
