/* http/doh.c: looks names up by DNS over HTTPS (RFC 8484): POST requests to the server of CURLOPT_DOH_URL, by
 * an internal transfer of the multi that asks. It is a row of mote_lookup_ways[].
 *
 * A lookup asks for one type of address after the other on one connection of the pool, since a connection of
 * HTTP/1.1 carries one request at a time. What the server's own name is resolved by is the system or a line
 * of CURLOPT_RESOLVE: the internal transfer has no CURLOPT_DOH_URL. It has none of the application's
 * callbacks either, but for CURLOPT_SSL_CTX_FUNCTION, and no deadline, since it ends with the last transfer
 * that waits for it.
 *
 * Invariants: the timer is set from the end of one request until the next one starts or the lookup is done.
 * Tests:      tests/e2e/test_doh.py */
#include <string.h>

#include "base/buf.h"
#include "codec/dns.h"
#include "net/lookup.h"
#include "net/names.h"
#include "port/port.h"
#include "transfer/internal.h"
#include "transfer/multi.h"

#define AGE_MAX INT32_MAX /* seconds, RFC 9111 section 1.2.2 */

struct doh {
  struct mote_job job;
  struct mote_internal request;  /* the current one */
  struct mote_timer_node timer;  /* what follows the end of a request happens outside of steps */
  struct mote_dns_found found;   /* by the requests that have ended well */
  struct mote_dns_found more;    /* the same with the current one's response */
  struct mote_buf early;         /* a response that has come in pieces, without the last one */
  enum mote_dns_result result;   /* of the current response so far */
  bool again;                    /* AAAA was asked for, and A is still to come */
  bool done;
  bool failed;                   /* a request has failed, so that the name may exist for all that is known */
  uint16_t query_len;            /* bytes; 0: the name cannot be asked for */
  size_t size;                   /* bytes of this block */
  uint8_t query[MOTE_DNS_QUERY_MAX];
  char text[];                   /* the name, then strings and blobs of options */
};

static struct doh *of(struct mote_job *j)
{
  return (struct doh *)j;
}

/* ---- options of the internal transfer ---- */

/* What the application's transfer passes on, and under which name. */
static const struct {
  uint16_t from, to; /* MOTE_OPT_ID */
} inherited[] = {
  {MOTE_OPT_ID(CURLOPT_DOH_URL), MOTE_OPT_ID(CURLOPT_URL)},
  {MOTE_OPT_ID(CURLOPT_DOH_SSL_VERIFYPEER), MOTE_OPT_ID(CURLOPT_SSL_VERIFYPEER)},
  {MOTE_OPT_ID(CURLOPT_DOH_SSL_VERIFYHOST), MOTE_OPT_ID(CURLOPT_SSL_VERIFYHOST)},
  {MOTE_OPT_ID(CURLOPT_DOH_SSL_VERIFYSTATUS), MOTE_OPT_ID(CURLOPT_SSL_VERIFYSTATUS)},
  {MOTE_OPT_ID(CURLOPT_CAINFO), MOTE_OPT_ID(CURLOPT_CAINFO)},
  {MOTE_OPT_ID(CURLOPT_CAINFO_BLOB), MOTE_OPT_ID(CURLOPT_CAINFO_BLOB)},
  {MOTE_OPT_ID(CURLOPT_CAPATH), MOTE_OPT_ID(CURLOPT_CAPATH)},
  {MOTE_OPT_ID(CURLOPT_CRLFILE), MOTE_OPT_ID(CURLOPT_CRLFILE)},
  {MOTE_OPT_ID(CURLOPT_SSL_EC_CURVES), MOTE_OPT_ID(CURLOPT_SSL_EC_CURVES)},
  {MOTE_OPT_ID(CURLOPT_SSL_OPTIONS), MOTE_OPT_ID(CURLOPT_SSL_OPTIONS)},
  {MOTE_OPT_ID(CURLOPT_SSL_CTX_FUNCTION), MOTE_OPT_ID(CURLOPT_SSL_CTX_FUNCTION)},
  {MOTE_OPT_ID(CURLOPT_SSL_CTX_DATA), MOTE_OPT_ID(CURLOPT_SSL_CTX_DATA)},
  {MOTE_OPT_ID(CURLOPT_BUFFERSIZE), MOTE_OPT_ID(CURLOPT_BUFFERSIZE)},
};

#define INHERITED (sizeof inherited / sizeof inherited[0])

static bool has_bytes(const struct mote_option *e)
{
  return e->kind == MOTE_KIND_STR || e->kind == MOTE_KIND_BLOB;
}

static size_t bytes_inherited(const struct mote_options *o)
{
  size_t sum = 0, i;
  for(i = 0; i < INHERITED; i++) {
    struct mote_option e;
    if(mote_option_view(o, inherited[i].from, &e) && has_bytes(&e))
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
    if(has_bytes(&e)) {
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
  if(has_bytes(&a))
    return a.size == b.size && !memcmp(a.v.ptr, b.v.ptr, a.size);
  return !memcmp(&a.v, &b.v, sizeof a.v);
}

static bool serves(const struct mote_job *j, const struct mote_name_query *q)
{
  const struct mote_transfer *own = &((const struct doh *)j)->request.t, *asker = q->asker;
  size_t i;
  for(i = 0; i < INHERITED; i++)
    if(!same_value(&own->options, &asker->options, i))
      return false;
  return own->share == asker->share;
}

static size_t take_body(char *bytes, size_t size, size_t n, void *arg);

static CURLcode set_request(struct doh *d)
{
  static const struct curl_slist header = {(char *)(uintptr_t)"Content-Type: application/dns-message", NULL};
  struct mote_options *o = &d->request.t.options;
  CURLcode rc = mote_option_set_long(o, MOTE_OPT_METHOD, MOTE_METHOD_POST);
  rc = rc ? rc : mote_option_set_long(o, MOTE_OPT_ID(CURLOPT_PROTOCOLS), CURLPROTO_HTTPS);
  rc = rc ? rc : mote_option_set_ptr(o, MOTE_OPT_ID(CURLOPT_POSTFIELDS), d->query);
  rc = rc ? rc : mote_option_set_off(o, MOTE_OPT_ID(CURLOPT_POSTFIELDSIZE_LARGE), d->query_len);
  rc = rc ? rc : mote_option_set_ptr(o, MOTE_OPT_ID(CURLOPT_HTTPHEADER), (void *)(uintptr_t)&header);
  rc = rc ? rc : mote_option_set_fn(o, MOTE_OPT_ID(CURLOPT_WRITEFUNCTION), (mote_fn)take_body);
  return rc ? rc : mote_option_set_ptr(o, MOTE_OPT_ID(CURLOPT_WRITEDATA), d);
}

/* ---- a response ---- */

/* Most responses come whole and are read where they lie. Bytes after a whole one make it a malformed one. */
static size_t take_body(char *bytes, size_t size, size_t n, void *arg)
{
  struct doh *d = arg;
  size_t len = size * n;
  if(d->result != MOTE_DNS_SHORT)
    d->result = MOTE_DNS_MALFORMED;
  else if(!d->early.len)
    d->result = mote_dns_read((const uint8_t *)bytes, len, d->query, d->query_len, &d->more);
  if(d->result != MOTE_DNS_SHORT)
    return len;
  switch(mote_buf_add(&d->early, bytes, len)) {
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
static uint32_t rest_of_ttl(const struct doh *d, uint32_t ttl)
{
  const char *age = mote_headers_find_value(&d->request.t.run->response.headers, "Age");
  uint64_t seconds = 0;
  if(age && !mote_parse_dec(mote_slice_of(age), AGE_MAX, &seconds))
    seconds = AGE_MAX;
  return seconds < ttl ? ttl - (uint32_t)seconds : 0;
}

static void judge(struct doh *d)
{
  const struct mote_transfer *t = &d->request.t;
  CURLcode rc = t->msg.data.result;
  if(!rc && d->early.len && d->result == MOTE_DNS_SHORT)
    d->result = mote_dns_read((const uint8_t *)d->early.ptr, d->early.len, d->query, d->query_len, &d->more);
  mote_buf_close(&d->early);
  if(rc == CURLE_OUT_OF_MEMORY)
    d->job.error = MOTE_PORT_NO_MEMORY;
  if(rc || t->run->response.code != 200 || (d->result != MOTE_DNS_OK && d->result != MOTE_DNS_NO_NAME))
    d->failed = true;
  else if(d->more.count > d->found.count) {
    uint32_t ttl = rest_of_ttl(d, d->more.ttl);
    d->found.count = d->more.count;
    d->found.ttl = ttl < d->found.ttl ? ttl : d->found.ttl;
  }
}

/* ---- the lookup ---- */

static void ask(struct doh *d)
{
  d->result = MOTE_DNS_SHORT;
  d->more = d->found;
  mote_internal_start(&d->request, d->request.t.multi);
}

static void end(struct doh *d)
{
  struct mote_job *j = &d->job;
  d->done = true;
  j->count = (uint32_t)d->found.count;
  j->ttl = d->found.ttl;
  if(!j->error && !j->count)
    j->error = d->failed ? EAGAIN : MOTE_PORT_NO_NAME;
}

/* Frees d when the lookup is over. */
static void request_over(struct mote_timer_node *node, mote_time now)
{
  struct doh *d = mote_container_of(node, struct doh, timer);
  struct mote_multi *m = d->request.t.multi;
  if(d->query_len)
    judge(d);
  if(d->again) {
    d->again = false;
    mote_dns_set_type(d->query, d->query_len, MOTE_DNS_A);
    ask(d);
    return;
  }
  end(d);
  mote_names_collect(&m->names, now);
}

static void soon(struct doh *d)
{
  d->timer.due = request_over;
  mote_timers_set(&d->request.t.multi->timers, &d->timer, 1);
}

static void request_done(struct mote_internal *i)
{
  soon(mote_container_of(i, struct doh, request));
}

static void release(struct mote_job *j)
{
  struct doh *d = of(j);
  mote_timers_cancel(&d->request.t.multi->timers, &d->timer);
  mote_internal_close(&d->request);
  mote_buf_close(&d->early);
  mote_mem_free(&d->request.t.multi->account, MOTE_PART_NAME, d, d->size);
}

static struct mote_job *make(const struct mote_name_query *q)
{
  const struct mote_transfer *t = q->asker;
  size_t size = sizeof(struct doh) + q->name_len + bytes_inherited(&t->options);
  struct doh *d = mote_mem_zalloc(&t->multi->account, MOTE_PART_NAME, size);
  enum mote_dns_type type = q->family == MOTE_FAMILY_IP4 ? MOTE_DNS_A : MOTE_DNS_AAAA;
  if(!d)
    return NULL;
  d->size = size;
  d->job.way = q->way;
  d->job.name = d->text;
  d->job.name_len = q->name_len;
  d->job.family = q->family;
  d->again = q->family == MOTE_FAMILY_NONE;
  memcpy(d->text, q->name, q->name_len);
  d->query_len = (uint16_t)mote_dns_query(q->name, q->name_len, type, d->query);
  d->found = (struct mote_dns_found){
    .addrs = d->job.found, .max = MOTE_LOOKUP_MAX, .ttl = MOTE_LOOKUP_NO_TTL,
  };
  mote_internal_init(&d->request, t);
  d->request.done = request_done;
  d->request.t.multi = t->multi;
  mote_buf_init(&d->early, &t->multi->account, MOTE_PART_NAME, MOTE_DNS_RESPONSE_MAX);
  if(!inherit(&d->request.t.options, &t->options, d->text + q->name_len) && !set_request(d))
    return &d->job;
  release(&d->job);
  return NULL;
}

/* A text that is no name of DNS does not exist. */
static int start(struct mote_job *j)
{
  struct doh *d = of(j);
  d->again = d->again && d->query_len;
  if(d->query_len)
    ask(d);
  else
    soon(d);
  return 0;
}

static bool done(struct mote_job *j)
{
  return of(j)->done;
}

static void adopt(struct mote_job *j, void *asker)
{
  mote_internal_serve(&of(j)->request, asker);
}

const struct mote_lookup_way mote_lookup_doh = {
  .name = "doh", .option = MOTE_OPT_ID(CURLOPT_DOH_URL), .make = make, .start = start, .done = done,
  .release = release, .serves = serves, .adopt = adopt,
};
