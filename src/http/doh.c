/* http/doh.c: looks names up by DNS over HTTPS (RFC 8484): POST requests to the server of CURLOPT_DOH_URL, by
 * internal transfers of the multi that asks. It is a row of mote_lookup_ways[].
 *
 * A lookup asks for both types of address on one connection of the pool: by HTTP/2 at once, by HTTP/1.1 one
 * after the other. Which of them it is shows when the first request begins. With part h3 it may ask for HTTPS
 * records, too, by HTTP/2 alone: they never hold up a lookup that has an address, and what they fail with is
 * no error of it. What the server's own name is resolved by is the system or a line of CURLOPT_RESOLVE: the
 * internal transfers have no CURLOPT_DOH_URL.
 * A good lookup is kept for the next one with the same options, its transfers included (net/names/names.h).
 * Where both requests were under way at once, they start together from then on. They have none of the
 * application's callbacks either, but for CURLOPT_SSL_CTX_FUNCTION, and no deadline, since they end with
 * the last transfer that waits for the lookup.
 *
 * Ownership:  all is the multi's: the block counts in its account, the transfers' memory in their parts.
 * Invariants: the timer is set from the end of a request until what follows has happened. The second
 *             request's response is read after the first one's.
 * Tests:      tests/e2e/test_doh.py, test_doh_h2.py */
#include <string.h>

#include "base/buf.h"
#include "codec/dns.h"
#include "engine/internal.h"
#include "net/conn_struct.h"
#include "net/driver.h"
#include "net/names/lookup.h"
#include "port/port.h"
#include "transfer/download/headers.h"
#include "transfer/multi/multi.h"

#define AGE_MAX INT32_MAX /* seconds, RFC 9111 section 1.2.2 */
#define NAME_ROOM 64u     /* bytes, at least, so that most names suit a kept lookup */

/* A request. */
struct ask {
  struct mote_internal request;  /* first */
  struct mote_buf early;         /* a response, or its beginning, that could not be read where it lay */
  enum mote_dns_result result;   /* of the response so far */
  bool started, over, read;      /* its state, each including those before */
  uint8_t query[MOTE_DNS_QUERY_MAX];
};

/* HTTPS records. It lies at the end of the block of a lookup that asks for them. */
struct doh_records {
  struct ask ask;
  struct mote_dns_service service; /* by the response that was read */
  uint16_t query_len;              /* bytes; 0: they cannot be asked for */
  bool found;                      /* there is a service */
};

struct doh {
  struct mote_job job;
  struct ask asks[2];            /* a lookup of one type has the first alone */
  struct mote_timer_node timer;  /* what follows the end of a request happens outside of steps */
  struct mote_dns_found found;   /* by the responses that were read */
  struct mote_dns_found more;    /* the same with the response that is being read */
  bool both;                     /* there is a second request */
  bool at_once;                  /* it need not wait for the end of the first one */
  bool done;
  bool failed;                   /* a request has failed, so that the name may exist for all that is known */
  bool together;                 /* the last lookup's requests were under way at once */
  uint16_t query_len;            /* bytes; 0: the name cannot be asked for */
  size_t name_room;              /* bytes */
  size_t size;                   /* bytes of this block */
  char text[];                   /* room for the name, then strings and blobs of options */
};

static struct doh *doh_of(struct mote_job *j)
{
  return (struct doh *)j;
}

/* NULL: it asks for addresses alone, as in a build without part h3. */
static struct doh_records *doh_records_of(const struct doh *d)
{
  return mote_job_besides(&d->job);
}

static bool doh_is_records(const struct doh *d, const struct ask *a)
{
  return MOTE_HAS_H3 && doh_records_of(d) && a == &doh_records_of(d)->ask;
}

static uint16_t doh_query_len(const struct doh *d, const struct ask *a)
{
  return doh_is_records(d, a) ? doh_records_of(d)->query_len : d->query_len;
}

/* ---- options of the internal transfer ---- */

#define SAME(option) {MOTE_OPT_ID(option), MOTE_OPT_ID(option)}

/* What the application's transfer passes on, and under which name. */
static const struct {
  uint16_t from, to; /* MOTE_OPT_ID */
} inherited[] = {
  {MOTE_OPT_ID(CURLOPT_DOH_URL), MOTE_OPT_ID(CURLOPT_URL)},
  {MOTE_OPT_ID(CURLOPT_DOH_SSL_VERIFYPEER), MOTE_OPT_ID(CURLOPT_SSL_VERIFYPEER)},
  {MOTE_OPT_ID(CURLOPT_DOH_SSL_VERIFYHOST), MOTE_OPT_ID(CURLOPT_SSL_VERIFYHOST)},
  {MOTE_OPT_ID(CURLOPT_DOH_SSL_VERIFYSTATUS), MOTE_OPT_ID(CURLOPT_SSL_VERIFYSTATUS)},
  SAME(CURLOPT_CAINFO),
  SAME(CURLOPT_CAINFO_BLOB),
  SAME(CURLOPT_CAPATH),
  SAME(CURLOPT_CRLFILE),
  SAME(CURLOPT_SSL_EC_CURVES),
  SAME(CURLOPT_SSL_OPTIONS),
  SAME(CURLOPT_SSL_CTX_FUNCTION),
  SAME(CURLOPT_SSL_CTX_DATA),
  SAME(CURLOPT_BUFFERSIZE),
};

#define INHERITED (sizeof inherited / sizeof inherited[0])

static size_t bytes_inherited(const struct mote_options *o)
{
  size_t sum = 0, i;
  for(i = 0; i < INHERITED; i++) {
    struct mote_option e;
    if(mote_option_view(o, inherited[i].from, &e) && mote_option_has_bytes(&e))
      sum += e.size;
  }
  return sum;
}

/* Copies the bytes to `room`, since they have to outlive the application's transfer. */
static CURLcode inherit(struct mote_options *to, const struct mote_options *from, char *room)
{
  CURLcode rc = CURLE_OK;
  size_t i;
  for(i = 0; !rc && i < INHERITED; i++) {
    struct mote_option e;
    if(!mote_option_view(from, inherited[i].from, &e))
      continue;
    e.id = inherited[i].to;
    if(mote_option_has_bytes(&e)) {
      memcpy(room, e.v.ptr, e.size);
      e.v.ptr = room;
      room += e.size;
    }
    rc = mote_option_lend(to, &e);
  }
  return rc;
}

static bool same_value(const struct mote_options *own, const struct mote_options *asker, size_t i)
{
  struct mote_option a, b;
  bool set = mote_option_view(own, inherited[i].to, &a);
  if(mote_option_view(asker, inherited[i].from, &b) != set || !set)
    return !set;
  if(mote_option_has_bytes(&a))
    return a.size == b.size && !memcmp(a.v.ptr, b.v.ptr, a.size);
  return !memcmp(&a.v, &b.v, sizeof a.v);
}

static bool doh_serves(const struct mote_job *j, const struct mote_name_query *q)
{
  const struct mote_transfer *own = &((const struct doh *)j)->asks[0].request.t, *asker = q->asker;
  size_t i;
  for(i = 0; i < INHERITED; i++)
    if(!same_value(&own->options, &asker->options, i))
      return false;
  return own->share == asker->share;
}

static size_t doh_take_body(char *bytes, size_t size, size_t n, void *arg);
static int on_begin(void *arg, char *ip, char *local_ip, int port, int local_port);

static CURLcode doh_set_request(struct doh *d, struct ask *a)
{
  static const struct curl_slist header = {(char *)(uintptr_t)"Content-Type: application/dns-message", NULL};
  struct mote_options *o = &a->request.t.options;
  CURLcode rc = mote_option_set_long(o, MOTE_OPT_METHOD, MOTE_METHOD_POST);
  rc = rc ? rc : mote_option_set_long(o, MOTE_OPT_ID(CURLOPT_PROTOCOLS), CURLPROTO_HTTPS);
  rc = rc ? rc : mote_option_set_ptr(o, MOTE_OPT_ID(CURLOPT_POSTFIELDS), a->query);
  rc = rc ? rc : mote_option_set_off(o, MOTE_OPT_ID(CURLOPT_POSTFIELDSIZE_LARGE), doh_query_len(d, a));
  if(a != d->asks) /* an HTTP/2 connection that the first request is making */
    rc = rc ? rc : mote_option_set_long(o, MOTE_OPT_ID(CURLOPT_PIPEWAIT), 1);
  rc = rc ? rc : mote_option_set_ptr(o, MOTE_OPT_ID(CURLOPT_HTTPHEADER), (void *)(uintptr_t)&header);
  rc = rc ? rc : mote_option_set_fn(o, MOTE_OPT_ID(CURLOPT_WRITEFUNCTION), (mote_fn)doh_take_body);
  rc = rc ? rc : mote_option_set_ptr(o, MOTE_OPT_ID(CURLOPT_WRITEDATA), a);
  if(rc || a != d->asks || !(d->both || (MOTE_HAS_H3 && doh_records_of(d))))
    return rc;
  rc = mote_option_set_fn(o, MOTE_OPT_ID(CURLOPT_PREREQFUNCTION), (mote_fn)on_begin);
  return rc ? rc : mote_option_set_ptr(o, MOTE_OPT_ID(CURLOPT_PREREQDATA), d);
}

/* ---- a response ---- */

/* The first request's response is read where it lies if it comes whole, as most do. */
static bool reads_at_once(const struct doh *d, const struct ask *a)
{
  return a == d->asks || d->asks[0].read || doh_is_records(d, a);
}

static void doh_read_records(struct doh_records *r, const char *bytes, size_t len)
{
  if(MOTE_HAS_H3)
    r->ask.result =
      mote_dns_read_service((const uint8_t *)bytes, len, r->ask.query, r->query_len, &r->service, &r->found);
}

static void doh_read_answer(struct doh *d, struct ask *a, const char *bytes, size_t len)
{
  if(doh_is_records(d, a)) {
    doh_read_records(doh_records_of(d), bytes, len);
    return;
  }
  d->more = d->found;
  a->result = mote_dns_read((const uint8_t *)bytes, len, a->query, d->query_len, &d->more);
}

static struct doh *doh_lookup_of(struct ask *a)
{
  return a->request.user;
}

/* Bytes after a whole response make it a malformed one. */
static size_t doh_take_body(char *bytes, size_t size, size_t n, void *arg)
{
  struct ask *a = arg;
  struct doh *d = doh_lookup_of(a);
  size_t len = size * n;
  if(a->result != MOTE_DNS_SHORT)
    a->result = MOTE_DNS_MALFORMED;
  else if(!a->early.len && reads_at_once(d, a))
    doh_read_answer(d, a, bytes, len);
  if(a->result != MOTE_DNS_SHORT)
    return len;
  switch(mote_buf_add(&a->early, bytes, len)) {
  case CURLE_OK:
    return len;
  case CURLE_OUT_OF_MEMORY:
    d->job.error = MOTE_PORT_NO_MEMORY;
    return 0;
  default:
    return 0;
  }
}

/* What a cache on the way has had the response for already counts (RFC 8484 section 5.1). */
static uint32_t rest_of_ttl(const struct ask *a, uint32_t ttl)
{
  const char *age = mote_headers_find_value(&a->request.t.run->response.headers, "Age");
  uint64_t seconds = 0;
  if(age && !mote_parse_dec(mote_slice_of(age), AGE_MAX, &seconds))
    seconds = AGE_MAX;
  return seconds < ttl ? ttl - (uint32_t)seconds : 0;
}

static void doh_judge(struct doh *d, struct ask *a)
{
  const struct mote_transfer *t = &a->request.t;
  CURLcode rc = t->msg.data.result;
  a->read = true;
  if(!rc && a->early.len && a->result == MOTE_DNS_SHORT)
    doh_read_answer(d, a, a->early.ptr, a->early.len);
  mote_buf_close(&a->early);
  if(rc == CURLE_OUT_OF_MEMORY)
    d->job.error = MOTE_PORT_NO_MEMORY;
  if(rc || t->run->response.code != 200 || (a->result != MOTE_DNS_OK && a->result != MOTE_DNS_NO_NAME))
    d->failed = true;
  else if(d->more.count > d->found.count) {
    uint32_t ttl = rest_of_ttl(a, d->more.ttl);
    d->found.count = d->more.count;
    d->found.ttl = ttl < d->found.ttl ? ttl : d->found.ttl;
  }
}

static void doh_judge_records(struct doh *d, struct doh_records *r)
{
  const struct mote_transfer *t = &r->ask.request.t;
  CURLcode rc = t->msg.data.result;
  r->ask.read = true;
  if(!rc && r->ask.early.len && r->ask.result == MOTE_DNS_SHORT)
    doh_read_answer(d, &r->ask, r->ask.early.ptr, r->ask.early.len);
  mote_buf_close(&r->ask.early);
  if(rc || t->run->response.code != 200 || r->ask.result != MOTE_DNS_OK)
    r->found = false;
  if(r->found)
    r->service.ttl = rest_of_ttl(&r->ask, r->service.ttl);
}

/* ---- the lookup ---- */

static void start_ask(struct doh *d, struct ask *a)
{
  a->started = true;
  mote_internal_start(&a->request, d->asks[0].request.t.multi);
}

/* The addresses of a record are those of a name that has no others (RFC 9460 section 7.3). */
static void doh_take_hints(struct mote_job *j, const struct mote_dns_service *s)
{
  unsigned i;
  for(i = 0; i < s->hints; i++)
    if(!j->family || j->family == (enum mote_family)s->hint[i].family)
      j->found[j->count++] = s->hint[i];
}

/* What has come of the records by now. */
static void doh_take_records(struct mote_job *j, struct doh_records *r)
{
  struct mote_dns_service *s = &r->service;
  if(!r->found)
    return;
  if(mote_slice_same_nocase((struct mote_slice){s->target, s->target_len},
                            (struct mote_slice){j->name, j->name_len}))
    s->target_len = 0;
  mote_job_set_service(j, s);
  if(!j->count && !s->target_len)
    doh_take_hints(j, s);
  if(s->ttl < j->ttl)
    j->ttl = s->ttl;
}

static void doh_end(struct doh *d)
{
  struct mote_job *j = &d->job;
  d->done = true;
  j->count = (uint32_t)d->found.count;
  j->ttl = d->found.ttl;
  if(MOTE_HAS_H3 && doh_records_of(d))
    doh_take_records(j, doh_records_of(d));
  if(!j->error && !j->count)
    j->error = d->failed ? EAGAIN : MOTE_PORT_NO_NAME;
}

/* Records are asked for where they hold nothing up. True: a lookup without an address waits for them. */
static bool doh_step_records(struct doh *d, struct doh_records *r)
{
  if(!r->ask.started && r->query_len && d->at_once)
    start_ask(d, &r->ask);
  if(r->ask.over && !r->ask.read)
    doh_judge_records(d, r);
  return r->ask.started && !r->ask.over && !d->found.count;
}

/* Frees d when the lookup is over. */
static void doh_go_on(struct mote_timer_node *node, mote_time now)
{
  struct doh *d = mote_container_of(node, struct doh, timer);
  struct mote_multi *m = d->asks[0].request.t.multi;
  struct ask *a = &d->asks[0], *b = &d->asks[1];
  bool waits = MOTE_HAS_H3 && doh_records_of(d) && doh_step_records(d, doh_records_of(d));
  if(a->over && !a->read)
    doh_judge(d, a);
  if(b->over && a->read && !b->read)
    doh_judge(d, b);
  if(d->both && !b->started && (d->at_once || a->read))
    start_ask(d, b);
  if(d->query_len && (!a->read || (d->both && !b->read)))
    return;
  if(MOTE_HAS_H3 && waits && !d->found.count)
    return;
  doh_end(d);
  mote_names_collect(&m->names, now);
}

static void doh_soon(struct doh *d)
{
  d->timer.due = doh_go_on;
  mote_timers_set(&d->asks[0].request.t.multi->timers, &d->timer, 1);
}

/* The first request has its connection. Where that has room the second one need not wait. */
static int on_begin(void *arg, char *ip, char *local_ip, int port, int local_port)
{
  struct doh *d = arg;
  (void)ip, (void)local_ip, (void)port, (void)local_port;
  if(!d->at_once && mote_driver_has_room(d->asks[0].request.t.run->channel.conn->driver)) {
    d->at_once = true;
    doh_soon(d);
  }
  return CURL_PREREQFUNC_OK;
}

static void request_done(struct mote_internal *i)
{
  struct ask *a = mote_container_of(i, struct ask, request);
  a->over = true;
  doh_soon(doh_lookup_of(a));
}

static void close_ask(struct ask *a)
{
  mote_internal_close(&a->request);
  mote_buf_close(&a->early);
}

static void doh_release(struct mote_job *j)
{
  struct doh *d = doh_of(j);
  struct mote_multi *m = d->asks[0].request.t.multi;
  mote_timers_cancel(&m->timers, &d->timer);
  close_ask(&d->asks[0]);
  if(d->both)
    close_ask(&d->asks[1]);
  if(MOTE_HAS_H3 && doh_records_of(d))
    close_ask(&doh_records_of(d)->ask);
  mote_mem_free(&m->account, MOTE_PART_NAME, d, d->size);
}

static void init_ask(struct doh *d, struct ask *a, const struct mote_transfer *asker)
{
  mote_internal_init(&a->request, asker);
  a->request.done = request_done;
  a->request.user = d;
  a->request.t.multi = asker->multi;
  a->result = MOTE_DNS_SHORT;
  mote_buf_init(&a->early, &asker->multi->account, MOTE_PART_NAME, MOTE_DNS_RESPONSE_MAX);
}

static CURLcode doh_set_options(struct doh *d, struct ask *a, const struct mote_transfer *asker, char *room)
{
  CURLcode rc = inherit(&a->request.t.options, &asker->options, room);
  return rc ? rc : doh_set_request(d, a);
}

static void doh_set_records(struct doh_records *r, const struct mote_name_query *q)
{
  r->found = false;
  if(MOTE_HAS_H3)
    r->query_len = (uint16_t)mote_dns_query_service(q->name, q->name_len, q->port, r->ask.query);
}

static void doh_set_query(struct doh *d, const struct mote_name_query *q)
{
  enum mote_dns_type type = q->family == MOTE_FAMILY_IP4 ? MOTE_DNS_A : MOTE_DNS_AAAA;
  d->job.name = d->text;
  d->job.name_len = q->name_len;
  d->job.family = q->family;
  memcpy(d->text, q->name, q->name_len);
  d->query_len = (uint16_t)mote_dns_query(q->name, q->name_len, type, d->asks[0].query);
  d->both = q->family == MOTE_FAMILY_NONE && d->query_len;
  d->found = (struct mote_dns_found){
    .addrs = d->job.found, .max = MOTE_LOOKUP_MAX, .ttl = MOTE_LOOKUP_NO_TTL,
  };
  if(MOTE_HAS_H3 && doh_records_of(d))
    doh_set_records(doh_records_of(d), q);
  if(!d->both)
    return;
  memcpy(d->asks[1].query, d->asks[0].query, d->query_len);
  mote_dns_set_type(d->asks[1].query, d->query_len, MOTE_DNS_A);
}

/* Bytes of a block with what is first for the addresses alone. */
static size_t doh_size_with_records(size_t size)
{
  return ((size + 15) & ~(size_t)15) + sizeof(struct doh_records);
}

static struct doh_records *doh_place_records(struct doh *d, size_t size)
{
  return (struct doh_records *)(void *)((char *)d + size - sizeof(struct doh_records));
}

static struct mote_job *doh_make(const struct mote_name_query *q)
{
  const struct mote_transfer *t = q->asker;
  bool records = mote_query_wants_service(q);
  size_t name_room = q->name_len > NAME_ROOM ? q->name_len : NAME_ROOM;
  size_t plain = sizeof(struct doh) + name_room + bytes_inherited(&t->options);
  size_t size = MOTE_HAS_H3 && records ? doh_size_with_records(plain) : plain;
  struct doh *d = mote_mem_zalloc(&t->multi->account, MOTE_PART_NAME, size);
  char *room;
  if(!d)
    return NULL;
  if(MOTE_HAS_H3 && records)
    mote_job_set_besides(&d->job, doh_place_records(d, size));
  room = d->text + name_room;
  d->size = size;
  d->name_room = name_room;
  d->job.way = q->way;
  doh_set_query(d, q);
  init_ask(d, &d->asks[0], t);
  if(d->both)
    init_ask(d, &d->asks[1], t);
  if(MOTE_HAS_H3 && records)
    init_ask(d, &doh_records_of(d)->ask, t);
  if(!doh_set_options(d, &d->asks[0], t, room) && (!d->both || !doh_set_options(d, &d->asks[1], t, room)) &&
     !(MOTE_HAS_H3 && records && doh_set_options(d, &doh_records_of(d)->ask, t, room)))
    return &d->job;
  doh_release(&d->job);
  return NULL;
}

static bool doh_keeps(const struct mote_job *j)
{
  const struct doh *d = (const struct doh *)j;
  const struct doh_records *r = MOTE_HAS_H3 ? doh_records_of(d) : NULL;
  if(MOTE_HAS_H3 && r && r->ask.started && !r->ask.over)
    return false;
  return d->query_len && !d->failed && !j->error && mote_internal_may_stay(&d->asks[0].request);
}

/* The query's length is no option that another URL or connection depends on. */
static CURLcode doh_ask_again(struct doh *d, struct ask *a, struct mote_transfer *asker)
{
  struct mote_options *o = &a->request.t.options;
  bool changed = o->changed;
  CURLcode rc = mote_option_set_off(o, MOTE_OPT_ID(CURLOPT_POSTFIELDSIZE_LARGE), doh_query_len(d, a));
  o->changed = changed;
  a->started = a->over = a->read = false;
  a->result = MOTE_DNS_SHORT;
  mote_internal_serve(&a->request, asker);
  return rc;
}

static bool doh_again(struct mote_job *j, const struct mote_name_query *q)
{
  struct doh *d = doh_of(j);
  if(j->family != q->family || q->name_len > d->name_room || !doh_serves(j, q))
    return false;
  if(MOTE_HAS_H3 && mote_query_wants_service(q) != (doh_records_of(d) != NULL))
    return false;
  mote_job_forget_service(j);
  d->together = d->at_once;
  d->at_once = d->done = false;
  j->count = j->ttl = 0;
  doh_set_query(d, q);
  if(!d->query_len) {
    d->both = j->family == MOTE_FAMILY_NONE; /* for doh_release() */
    return false;
  }
  if(MOTE_HAS_H3 && doh_records_of(d) && doh_ask_again(d, &doh_records_of(d)->ask, q->asker))
    return false;
  return !doh_ask_again(d, &d->asks[0], q->asker) && (!d->both || !doh_ask_again(d, &d->asks[1], q->asker));
}

/* A text that is no name of DNS does not exist. */
static int doh_start(struct mote_job *j)
{
  struct doh *d = doh_of(j);
  if(d->query_len)
    start_ask(d, &d->asks[0]);
  else
    doh_soon(d);
  if(d->both && d->together) {
    d->at_once = true;
    if(MOTE_HAS_H3 && doh_records_of(d))
      (void)doh_step_records(d, doh_records_of(d));
    start_ask(d, &d->asks[1]);
  }
  return 0;
}

static bool doh_done(struct mote_job *j)
{
  return doh_of(j)->done;
}

static void doh_adopt(struct mote_job *j, void *asker)
{
  struct doh *d = doh_of(j);
  mote_internal_serve(&d->asks[0].request, asker);
  if(d->both)
    mote_internal_serve(&d->asks[1].request, asker);
  if(MOTE_HAS_H3 && doh_records_of(d))
    mote_internal_serve(&doh_records_of(d)->ask.request, asker);
}

const struct mote_lookup_way mote_lookup_doh = {
  .name = "doh", .option = MOTE_OPT_ID(CURLOPT_DOH_URL), .make = doh_make, .start = doh_start,
  .done = doh_done,
  .release = doh_release, .serves = doh_serves, .keeps = doh_keeps, .again = doh_again, .adopt = doh_adopt,
};
