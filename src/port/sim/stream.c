/* port/sim/stream.c: connections. What one side sends lies in a ring until the other has read it.
 *
 * Order. A side that sends puts bytes into its ring and notes a part: "up to this byte, from that moment".
 * An end and a break are parts, too, so that they come after the bytes that were sent before them, and no
 * part arrives before an earlier one. The event of a direction makes its parts arrive one by one and then
 * calls the server, if it is the one who receives; the client sees them when it looks. So a server is
 * called out of events only, and never while the library is inside of another call.
 *
 * A connection is in the list from its connect on until both sides have left it: the client by close (fd
 * -1), the server by gone(). */
#include <stdlib.h>
#include <string.h>

#include "base/containers/list.h"
#include "port/port.h"
#include "port/sim/internal.h"

#define PARTS 16         /* under way in one direction; what is sent after that comes with the last */
#define WINDOW 16384
#define NEVER UINT64_MAX /* no byte */

enum part_kind {
  PART_BYTES,
  PART_END,
  PART_BREAK
};

/* One direction. The counts are of bytes since the beginning: taken <= arrived <= sent <= taken + window. */
struct sim_way {
  struct mote_sim_event arrival;
  unsigned char *ring;      /* `window` bytes; NULL until the first is sent */
  size_t window;
  uint64_t sent, arrived, taken;
  uint64_t breaks;          /* after how many bytes the connection breaks, or NEVER */
  bool end_sent;
  bool end_arrived;
  bool to_server;
  bool waits;               /* the server wants to send more than there was room for */
  unsigned first, count;    /* of parts */
  struct {
    enum part_kind kind;
    uint64_t upto;
    mote_time at;
  } parts[PARTS];
};

enum sim_state {
  SIM_CONNECTING,
  SIM_OPEN,
  SIM_BROKEN  /* error says why */
};

struct mote_sim_peer {
  struct mote_sim_peer *next, **link;  /* in `connections` */
  struct mote_sim_event answer;        /* to the connect */
  struct mote_sim_event due;           /* mote_sim_peer_wait() */
  struct mote_sim_event room;          /* writable(), gone() */
  struct sim_way up, down;             /* to the server, to the client */
  const struct mote_sim_service *service; /* NULL: connects to no server */
  void *arg;
  void *state;
  struct mote_addr here, there;        /* the client's and the server's */
  enum sim_state phase;
  int error;
  bool held;                           /* the client has its descriptor */
  bool served;                         /* accepted() was called, gone() was not */
  bool left;                           /* the server has called close or reset */
};

static struct {
  struct mote_addr at;
  const struct mote_sim_service *service;
  void *arg;
} servers[MOTE_SIM_SERVERS];
static unsigned server_count;
static struct mote_sim_peer *connections;
static uint16_t next_port = 40000;

/* ---- the end of a connection ---- */

static void peer_free(struct mote_sim_peer *p)
{
  mote_sim_cancel(&p->answer);
  mote_sim_cancel(&p->due);
  mote_sim_cancel(&p->room);
  mote_sim_cancel(&p->up.arrival);
  mote_sim_cancel(&p->down.arrival);
  *p->link = p->next;
  if(p->next)
    p->next->link = p->link;
  free(p->up.ring);
  free(p->down.ring);
  free(p->state);
  free(p);
}

/* The server hears of the end of a connection in an event of its own: it may be in the middle of a call. */
static void peer_later(struct mote_sim_peer *p)
{
  mote_sim_at(&p->room, mote_port_now());
}

static void peer_break(struct mote_sim_peer *p, int error)
{
  if(p->phase == SIM_BROKEN)
    return;
  p->phase = SIM_BROKEN;
  p->error = error;
  mote_sim_cancel(&p->up.arrival);
  mote_sim_cancel(&p->down.arrival);
  mote_sim_cancel(&p->due);
  peer_later(p);
}

static void fire_room(struct mote_sim_event *e)
{
  struct mote_sim_peer *p = mote_container_of(e, struct mote_sim_peer, room);
  bool over = p->phase == SIM_BROKEN || (p->left && !p->held);
  if(!over) {
    if(p->down.waits && !p->left && p->service->writable) {
      p->down.waits = false;
      p->service->writable(p);
    }
    return;
  }
  if(p->served && p->service->gone)
    p->service->gone(p);
  p->served = false;
  if(!p->held)
    peer_free(p);
}

void mote_sim_streams_end(void)
{
  while(connections) {
    if(connections->served && connections->service->gone)
      connections->service->gone(connections);
    peer_free(connections);
  }
  server_count = 0;
  next_port = 40000;
}

/* ---- a direction ---- */

static void way_part(struct sim_way *w, enum part_kind kind, uint64_t upto)
{
  mote_time at = mote_port_now() + mote_sim_delay("latency", mote_sim_weather()->latency_us);
  unsigned i = (w->first + w->count) % PARTS;
  if(w->count) {
    unsigned last = (w->first + w->count - 1) % PARTS;
    if(at < w->parts[last].at)
      at = w->parts[last].at;
    if(w->parts[last].kind == PART_BREAK) /* nothing comes after it */
      return;
    if(w->count == PARTS) /* it takes the last part's place, with all bytes of that one */
      i = last;
  }
  if(w->count < PARTS)
    w->count++;
  w->parts[i].kind = kind;
  w->parts[i].upto = upto;
  w->parts[i].at = at;
  if(w->count == 1)
    mote_sim_at(&w->arrival, at);
}

/* Puts bytes into the ring, of which there is room for `len`. */
static bool way_put(struct sim_way *w, const unsigned char *bytes, size_t len)
{
  size_t piece = mote_sim_weather()->piece;
  size_t at, head;
  if(!w->ring)
    w->ring = malloc(w->window);
  if(!w->ring)
    return false;
  at = (size_t)(w->sent % w->window);
  head = len < w->window - at ? len : w->window - at;
  memcpy(w->ring + at, bytes, head);
  memcpy(w->ring, bytes + head, len - head);
  while(len) {
    size_t n = piece && piece < len ? piece : len;
    w->sent += n;
    len -= n;
    way_part(w, PART_BYTES, w->sent);
  }
  return true;
}

static size_t way_room(const struct sim_way *w)
{
  return w->window - (size_t)(w->sent - w->taken);
}

static size_t way_take(struct sim_way *w, unsigned char *out, size_t len)
{
  size_t there = (size_t)(w->arrived - w->taken);
  size_t n = len < there ? len : there;
  size_t at, head;
  if(!n)
    return 0;
  at = (size_t)(w->taken % w->window);
  head = n < w->window - at ? n : w->window - at;
  memcpy(out, w->ring + at, head);
  memcpy(out + head, w->ring, n - head);
  w->taken += n;
  return n;
}

static void way_end(struct sim_way *w, enum part_kind kind)
{
  if(w->end_sent && kind == PART_END)
    return;
  w->end_sent = true;
  way_part(w, kind, w->sent);
}

/* Lets one part arrive. False: the connection broke with it. */
static bool way_arrive(struct mote_sim_peer *p, struct sim_way *w)
{
  unsigned i = w->first;
  w->first = (i + 1) % PARTS;
  w->count--;
  w->arrived = w->parts[i].upto < w->breaks ? w->parts[i].upto : w->breaks;
  if(w->parts[i].upto >= w->breaks) {
    mote_sim_note(MOTE_SIM_RESET);
    peer_break(p, ECONNRESET);
    return false;
  }
  w->end_arrived = w->end_arrived || w->parts[i].kind == PART_END;
  if(w->parts[i].kind == PART_BREAK) {
    peer_break(p, ECONNRESET);
    return false;
  }
  return true;
}

static void peer_refuse(struct mote_sim_peer *p)
{
  mote_sim_note(MOTE_SIM_REFUSED);
  peer_break(p, ECONNREFUSED);
}

static void fire_answer(struct mote_sim_event *e)
{
  struct mote_sim_peer *p = mote_container_of(e, struct mote_sim_peer, answer);
  if(p->phase == SIM_BROKEN)
    return;
  if(!p->service) {
    peer_refuse(p);
    return;
  }
  p->phase = SIM_OPEN;
  p->served = true;
  if(p->service->accepted)
    p->service->accepted(p);
}

static void fire_arrival(struct mote_sim_event *e)
{
  struct sim_way *w = mote_container_of(e, struct sim_way, arrival);
  struct mote_sim_peer *p = w->to_server ? mote_container_of(w, struct mote_sim_peer, up)
                                         : mote_container_of(w, struct mote_sim_peer, down);
  if(w->to_server && !p->served) { /* events of one moment have no order */
    mote_sim_cancel(&p->answer);
    fire_answer(&p->answer);
  }
  while(w->count && w->parts[w->first].at <= mote_port_now())
    if(!way_arrive(p, w))
      return;
  if(w->count)
    mote_sim_at(&w->arrival, w->parts[w->first].at);
  if(!w->to_server)
    return;
  if(p->left) { /* bytes for one who is gone */
    if(w->arrived > w->taken || !p->held)
      peer_break(p, ECONNRESET);
    return;
  }
  if(p->service->readable)
    p->service->readable(p);
}

/* ---- connecting ---- */

static void fire_due(struct mote_sim_event *e)
{
  struct mote_sim_peer *p = mote_container_of(e, struct mote_sim_peer, due);
  if(!p->left && p->service->due)
    p->service->due(p);
}

static void way_init(struct sim_way *w, bool to_server)
{
  unsigned window = mote_sim_weather()->window;
  w->window = window ? window : WINDOW;
  w->to_server = to_server;
  w->breaks = NEVER;
  w->arrival.fire = fire_arrival;
}

static void find_server(struct mote_sim_peer *p)
{
  unsigned i;
  for(i = 0; i < server_count; i++)
    if(!memcmp(&servers[i].at, &p->there, sizeof p->there)) {
      p->service = servers[i].service;
      p->arg = servers[i].arg;
    }
}

static void draw_break(struct mote_sim_peer *p, const struct mote_sim_weather *weather)
{
  uint64_t after;
  if(!weather->reset_within || !mote_sim_chance("the connection will break", weather->reset))
    return;
  after = mote_sim_draw("bytes until it breaks", weather->reset_within) + 1;
  if(mote_sim_draw("the direction in which it breaks", 2))
    p->up.breaks = after;
  else
    p->down.breaks = after;
}

static struct mote_sim_peer *peer_new(const struct mote_addr *to)
{
  struct mote_sim_peer *p = calloc(1, sizeof *p);
  if(!p)
    return NULL;
  way_init(&p->up, true);
  way_init(&p->down, false);
  p->answer.fire = fire_answer;
  p->due.fire = fire_due;
  p->room.fire = fire_room;
  p->there = *to;
  p->here.family = to->family;
  p->here.ip[to->family == MOTE_FAMILY_IP6 ? 15 : 0] = to->family == MOTE_FAMILY_IP6 ? 1 : 127;
  p->here.ip[3] |= to->family == MOTE_FAMILY_IP4;
  p->here.port = next_port++;
  find_server(p);
  if(p->service) {
    p->state = calloc(1, p->service->state ? p->service->state : 1);
    if(!p->state) {
      free(p);
      return NULL;
    }
  }
  p->held = true;
  p->next = connections;
  p->link = &connections;
  if(connections)
    connections->link = &p->next;
  connections = p;
  return p;
}

static int peer_start(struct mote_sim_peer *p)
{
  const struct mote_sim_weather *weather = mote_sim_weather();
  draw_break(p, weather);
  if(mote_sim_chance("a connect without an answer", weather->silent)) {
    mote_sim_note(MOTE_SIM_SILENT);
    return MOTE_PORT_AGAIN;
  }
  if(mote_sim_chance("a refused connect", weather->refuse))
    p->service = NULL;
  if(mote_sim_chance("a connect that is answered at once", weather->at_once)) {
    if(!p->service)
      peer_refuse(p);
    else
      p->phase = SIM_OPEN;
    mote_sim_at(&p->answer, mote_port_now()); /* the server hears of it in an event */
    return p->error;
  }
  mote_sim_at(&p->answer, mote_port_now() + mote_sim_delay("latency of a connect", weather->latency_us));
  return MOTE_PORT_AGAIN;
}

int mote_port_connect(curl_socket_t fd, const struct curl_sockaddr *sa)
{
  struct sim_descriptor *d = mote_sim_descriptor(fd, SIM_STREAM);
  struct mote_sim_peer *p = d->of;
  struct mote_addr to;
  if(p)
    return p->phase == SIM_CONNECTING ? MOTE_PORT_AGAIN : p->error;
  if(!mote_port_target_addr(sa, &to) || to.family != d->family)
    return EAFNOSUPPORT;
  if(mote_sim_chance("no way to the address", mote_sim_weather()->unreachable)) {
    mote_sim_note(MOTE_SIM_UNREACHABLE);
    d->error = ENETUNREACH;
    return d->error;
  }
  p = peer_new(&to);
  if(!p)
    return ENOMEM;
  d->of = p;
  return peer_start(p);
}

int mote_port_connect_result(curl_socket_t fd)
{
  const struct sim_descriptor *d = mote_sim_descriptor(fd, SIM_STREAM);
  const struct mote_sim_peer *p = d->of;
  if(!p)
    return d->error ? d->error : MOTE_PORT_AGAIN;
  if(p->phase == SIM_CONNECTING)
    return MOTE_PORT_AGAIN;
  return p->error;
}

/* ---- the client's side ---- */

int mote_port_socket(const struct curl_sockaddr *sa, curl_socket_t *out)
{
  struct mote_addr a;
  int error;
  *out = CURL_SOCKET_BAD;
  if(!mote_port_target_addr(sa, &a) || sa->socktype != SOCK_STREAM)
    return EAFNOSUPPORT;
  error = mote_sim_open(SIM_STREAM, out);
  if(!error)
    mote_sim_descriptor(*out, SIM_STREAM)->family = a.family;
  return error;
}

int mote_port_nonblocking(curl_socket_t fd)
{
  return mote_sim_descriptor_any(fd) ? 0 : EBADF;
}

/* How many bytes a call moves that could move n. */
static size_t sim_fewer(const char *what, size_t n, unsigned chance)
{
  if(n > 1 && mote_sim_chance(what, chance))
    return 1 + mote_sim_draw("bytes of it", n < 100 ? (uint32_t)n - 1 : 99);
  return n;
}

int mote_port_recv(curl_socket_t fd, void *buf, size_t len, size_t *n)
{
  struct mote_sim_peer *p = mote_sim_descriptor(fd, SIM_STREAM)->of;
  size_t there;
  *n = 0;
  if(!len)
    return 0;
  if(!p)
    return ENOTCONN;
  there = (size_t)(p->down.arrived - p->down.taken);
  if(!there) {
    if(p->phase == SIM_BROKEN)
      return p->error;
    return p->down.end_arrived ? 0 : MOTE_PORT_AGAIN;
  }
  if(len > there)
    len = there;
  *n = way_take(&p->down, buf, sim_fewer("a short read", len, mote_sim_weather()->short_read));
  if(p->down.waits)
    peer_later(p);
  return 0;
}

int mote_port_send(curl_socket_t fd, const void *buf, size_t len, size_t *n)
{
  struct mote_sim_peer *p = mote_sim_descriptor(fd, SIM_STREAM)->of;
  size_t room;
  *n = 0;
  if(!len)
    return 0;
  if(!p)
    return ENOTCONN;
  if(p->phase != SIM_OPEN)
    return p->phase == SIM_BROKEN ? p->error : MOTE_PORT_AGAIN;
  if(p->up.end_sent)
    return EPIPE;
  room = way_room(&p->up);
  if(!room)
    return MOTE_PORT_AGAIN;
  len = sim_fewer("a short write", len < room ? len : room, mote_sim_weather()->short_write);
  if(!way_put(&p->up, buf, len))
    return ENOMEM;
  *n = len;
  return 0;
}

enum mote_peek mote_port_peek(curl_socket_t fd)
{
  const struct mote_sim_peer *p = mote_sim_descriptor(fd, SIM_STREAM)->of;
  if(p && p->down.arrived > p->down.taken)
    return MOTE_PEEK_BYTES;
  return p && p->phase == SIM_OPEN && !p->down.end_arrived ? MOTE_PEEK_QUIET : MOTE_PEEK_CLOSED;
}

int mote_port_shutdown(curl_socket_t fd)
{
  struct mote_sim_peer *p = mote_sim_descriptor(fd, SIM_STREAM)->of;
  if(!p || p->phase != SIM_OPEN)
    return ENOTCONN;
  way_end(&p->up, PART_END);
  return 0;
}

static void stream_close(struct mote_sim_peer *p)
{
  p->held = false;
  if(p->phase == SIM_OPEN && !p->left) {
    /* Bytes that were not read make it a break, as they do with TCP. */
    way_end(&p->up, p->down.arrived > p->down.taken ? PART_BREAK : PART_END);
    return;
  }
  if(!p->served)
    peer_free(p);
  else
    peer_later(p);
}

void mote_port_close(curl_socket_t fd)
{
  struct sim_descriptor *d = mote_sim_descriptor(fd, SIM_STREAM);
  struct mote_sim_peer *p = d->of;
  mote_sim_shut(d);
  if(p)
    stream_close(p);
}

unsigned mote_sim_stream_ready(const struct sim_descriptor *d)
{
  const struct mote_sim_peer *p = d->of;
  unsigned ready = 0;
  if(!p)
    return CURL_WAIT_POLLOUT | MOTE_POLL_HANGUP;
  if(p->phase == SIM_CONNECTING)
    return 0;
  if(p->phase == SIM_BROKEN)
    return CURL_WAIT_POLLIN | CURL_WAIT_POLLOUT | MOTE_POLL_ERROR | MOTE_POLL_HANGUP;
  if(p->down.arrived > p->down.taken || p->down.end_arrived)
    ready |= CURL_WAIT_POLLIN;
  if(p->up.end_sent || way_room(&p->up))
    ready |= CURL_WAIT_POLLOUT;
  if(p->up.end_sent && p->down.end_arrived)
    ready |= MOTE_POLL_HANGUP;
  return ready;
}

static int stream_name(curl_socket_t fd, bool peer, struct mote_addr *out)
{
  const struct mote_sim_peer *p = mote_sim_descriptor(fd, SIM_STREAM)->of;
  memset(out, 0, sizeof *out);
  if(!p)
    return ENOTCONN;
  *out = peer ? p->there : p->here;
  return 0;
}

int mote_port_local_name(curl_socket_t fd, struct mote_addr *out)
{
  (void)stream_name(fd, false, out);
  out->family = mote_sim_descriptor(fd, SIM_STREAM)->family; /* also of one that is not connected */
  return 0;
}

int mote_port_peer_name(curl_socket_t fd, struct mote_addr *out)
{
  return stream_name(fd, true, out);
}

int mote_port_setopt(curl_socket_t fd, enum mote_sockopt option, int value)
{
  (void)mote_sim_descriptor(fd, SIM_STREAM);
  (void)value;
  if(option == MOTE_SOCKOPT_FASTOPEN)
    return ENOPROTOOPT;
  if(!mote_sim_chance("an option that cannot be set", mote_sim_weather()->no_option))
    return 0;
  mote_sim_note(MOTE_SIM_NO_OPTION);
  return ENOPROTOOPT;
}

/* ---- the server's side ---- */

void mote_sim_listen(const struct mote_addr *at, const struct mote_sim_service *service, void *arg)
{
  if(server_count == MOTE_SIM_SERVERS)
    mote_sim_broken("more servers than MOTE_SIM_SERVERS");
  servers[server_count].at = *at;
  servers[server_count].service = service;
  servers[server_count++].arg = arg;
}

void *mote_sim_peer_state(struct mote_sim_peer *p)
{
  return p->state;
}

void *mote_sim_peer_arg(const struct mote_sim_peer *p)
{
  return p->arg;
}

size_t mote_sim_peer_read(struct mote_sim_peer *p, void *buf, size_t len)
{
  return way_take(&p->up, buf, len);
}

bool mote_sim_peer_ended(const struct mote_sim_peer *p)
{
  return p->up.end_arrived && p->up.taken == p->up.arrived;
}

size_t mote_sim_peer_write(struct mote_sim_peer *p, const void *bytes, size_t len)
{
  size_t room = way_room(&p->down);
  size_t n = len < room ? len : room;
  if(p->phase != SIM_OPEN || p->left || p->down.end_sent)
    return len; /* lost; gone() says so */
  if(n && !way_put(&p->down, bytes, n))
    n = 0;
  p->down.waits = n < len;
  return n;
}

void mote_sim_peer_end(struct mote_sim_peer *p)
{
  if(p->phase == SIM_OPEN)
    way_end(&p->down, PART_END);
}

/* A client that is gone does not hear of it: the connection is over then. */
static void peer_leave(struct mote_sim_peer *p, enum part_kind kind)
{
  if(p->phase != SIM_OPEN || p->left)
    return;
  p->left = true;
  mote_sim_cancel(&p->due);
  way_end(&p->down, kind);
  if(!p->held)
    peer_later(p);
}

void mote_sim_peer_close(struct mote_sim_peer *p)
{
  peer_leave(p, PART_END);
}

void mote_sim_peer_reset(struct mote_sim_peer *p)
{
  peer_leave(p, PART_BREAK);
}

void mote_sim_peer_wait(struct mote_sim_peer *p, mote_time us)
{
  if(!p->left && p->phase == SIM_OPEN)
    mote_sim_at(&p->due, mote_port_now() + us);
}
