/* http/cookie_jar.c: stores and finds cookies (http/cookie_jar.h). */
#include "http/cookie_jar.h"

#include <string.h>

#include "base/list.h"
#include "base/memory.h"
#include "http/public_suffix.h"

/* ---- texts ---- */

/* Letters of both cases have the bit that makes them small. */
static uint64_t mix(uint64_t h, uint64_t bytes)
{
  h = (h ^ (bytes | UINT64_C(0x2020202020202020))) * UINT64_C(0x9e3779b97f4a7c15);
  return h ^ (h >> 32);
}

/* The same for a text in upper and in lower case. Eight bytes are mixed in at once, the last of them twice
 * where the length is no multiple. */
static uint32_t hash_text(struct mote_slice s)
{
  uint64_t h = s.len, eight = 0;
  size_t i;
  for(i = 0; i + sizeof eight < s.len; i += sizeof eight) {
    memcpy(&eight, s.ptr + i, sizeof eight);
    h = mix(h, eight);
  }
  if(s.len >= sizeof eight)
    memcpy(&eight, s.ptr + s.len - sizeof eight, sizeof eight);
  for(; s.len < sizeof eight && i < s.len; i++)
    eight = eight << 8 | (unsigned char)s.ptr[i];
  return (uint32_t)mix(h, eight);
}

/* Names of one server often differ at the end only. */
static unsigned mark_of(struct mote_slice name)
{
  const size_t most = sizeof(uint64_t);
  if(name.len > most) {
    name.ptr += name.len - most;
    name.len = most;
  }
  return hash_text(name) & 15u;
}

/* ---- blocks ---- */

static struct mote_cookie *cookie_of(struct mote_hash_node *n)
{
  return n ? mote_container_of(n, struct mote_cookie, node) : NULL;
}

static size_t text_len(const struct mote_cookie *c)
{
  return c->domain_len + c->path_len + mote_cookie_pair(c).len;
}

/* The node of a secure cookie in jar->secure. */
static struct mote_hash_node *secure_node(struct mote_cookie *c)
{
  return (struct mote_hash_node *)c - 1;
}

static struct mote_cookie *of_secure_node(struct mote_hash_node *n)
{
  return (struct mote_cookie *)(n + 1);
}

static void free_cookie(struct mote_jar *j, struct mote_cookie *c)
{
  size_t front = c->secure ? sizeof(struct mote_hash_node) : 0;
  if(front)
    mote_hash_remove(&j->secure, secure_node(c));
  mote_mem_free(j->account, MOTE_PART_OTHER, (char *)c - front, front + sizeof *c + text_len(c));
}

static void drop(struct mote_jar *j, struct mote_cookie *c)
{
  mote_hash_remove(&j->hosts, &c->node);
  free_cookie(j, c);
}

static char *put(char *at, struct mote_slice s)
{
  if(s.len)
    memcpy(at, s.ptr, s.len);
  return at + s.len;
}

static char *put_text(char *at, const char *text)
{
  size_t len = strlen(text);
  memcpy(at, text, len);
  return at + len;
}

static struct mote_cookie *make_cookie(struct mote_jar *j, const struct mote_cookie_text *t)
{
  size_t len = t->domain.len + t->path.len + t->name.len + t->value.len + 3;
  size_t front = t->secure ? sizeof(struct mote_hash_node) : 0;
  char *at, *block = mote_mem_alloc(j->account, MOTE_PART_OTHER, front + sizeof(struct mote_cookie) + len);
  struct mote_cookie *c = (struct mote_cookie *)(void *)(block + front);
  if(!block)
    return NULL;
  *c = (struct mote_cookie){
    .expires = t->expires,
    .domain_len = (uint8_t)t->domain.len,
    .path_len = (uint16_t)t->path.len,
    .name_len = (uint16_t)t->name.len,
    .value_len = (uint16_t)t->value.len,
    .tail = t->tail,
    .secure = t->secure,
    .http_only = t->http_only,
    .mark = mark_of(t->name) & 15u,
  };
  at = put(put(c->text, t->domain), t->path);
  at = put_text(put(put_text(at, "; "), t->name), "=");
  put(at, t->value);
  return c;
}

/* ---- the index ---- */

/* Most domains are in lower case. */
static bool is_of(const struct mote_cookie *c, struct mote_slice domain)
{
  return c->domain_len == domain.len && (!memcmp(c->text, domain.ptr, domain.len) ||
                                         mote_equal_nocase_n(c->text, domain.ptr, domain.len));
}

static bool is_over(const struct mote_cookie *c, int64_t now)
{
  return c->expires && c->expires < now;
}

/* Returns the first cookie of a chain, or after one, with this hash. */
static struct mote_cookie *with_hash(struct mote_hash_node *n, uint32_t hash)
{
  while(n && n->hash != hash)
    n = n->next;
  return cookie_of(n);
}

/* Asks of every cookie whether it goes, and removes those that do. The table keeps its size meanwhile. */
static void sweep(struct mote_jar *j, bool (*goes)(const struct mote_cookie *c, void *arg), void *arg)
{
  bool array = j->hosts.buckets != NULL;
  size_t buckets = array ? (size_t)1 << j->hosts.bits : 1;
  size_t i;
  for(i = 0; i < buckets; i++) {
    struct mote_hash_node **at = array ? &j->hosts.buckets[i] : &j->hosts.small;
    while(*at) {
      struct mote_cookie *c = cookie_of(*at);
      if(!goes(c, arg)) {
        at = &c->node.next;
        continue;
      }
      *at = c->node.next;
      j->hosts.count--;
      free_cookie(j, c);
    }
  }
}

void mote_jar_init(struct mote_jar *j, struct mote_account *account)
{
  mote_hash_init(&j->hosts, account);
  mote_hash_init(&j->secure, account);
  j->account = account;
  j->born = 0;
  j->in_use = false;
}

static bool any(const struct mote_cookie *c, void *arg)
{
  (void)c;
  (void)arg;
  return true;
}

static bool of_session(const struct mote_cookie *c, void *arg)
{
  (void)arg;
  return !c->expires;
}

static bool is_late(const struct mote_cookie *c, void *now)
{
  return is_over(c, *(int64_t *)now);
}

void mote_jar_clear(struct mote_jar *j)
{
  sweep(j, any, NULL);
  mote_hash_close(&j->hosts);
  mote_hash_close(&j->secure);
}

void mote_jar_clear_session(struct mote_jar *j)
{
  sweep(j, of_session, NULL);
}

/* ---- adding ---- */

const char *mote_jar_judge_line(struct mote_cookie_text *c)
{
  if(!c->path.len)
    c->path = mote_cookie_default_path(c->path);
  if(c->domain.len > MOTE_JAR_DOMAIN_MAX)
    return "its domain is too long";
  if(c->path.len > MOTE_JAR_PATH_MAX)
    return "its path is too long";
  return mote_cookie_prefix_fits(c) ? NULL : "its name has a prefix that the rest does not allow";
}

/* A host that is a public suffix has cookies for itself alone (RFC 6265bis section 5.7.3). */
static bool may_set_domain(struct mote_cookie_text *c, const struct mote_cookie_place *from)
{
  bool same = c->domain.len == from->host.len &&
              mote_equal_nocase_n(c->domain.ptr, from->host.ptr, from->host.len);
  if(same)
    c->tail = !from->address && !mote_public_suffix(c->domain);
  return same || (!from->address && mote_cookie_domain_matches(c->domain, from->host) &&
                  !mote_public_suffix(c->domain));
}

const char *mote_jar_judge(struct mote_cookie_text *c, const struct mote_cookie_place *from)
{
  if(c->secure && !from->secure)
    return "it is secure, and the connection is not";
  if(!c->domain.ptr)
    c->domain = from->host;
  else if(!may_set_domain(c, from))
    return "it is for another domain";
  if(!c->path.len)
    c->path = mote_cookie_default_path(from->path);
  return mote_jar_judge_line(c);
}

/* Reports whether a plain host would set a cookie that hides a secure one (RFC 6265bis section 5.7.3). As in
 * libcurl the first segments of the paths are compared, which protects a little more. */
static bool hides(const struct mote_cookie_text *c, const struct mote_cookie *secure)
{
  struct mote_slice domain = mote_cookie_domain(secure), path = mote_cookie_path(secure);
  const char *end = path.len > 1 ? memchr(path.ptr + 1, '/', path.len - 1) : NULL;
  if(end)
    path.len = (size_t)(end - path.ptr);
  return secure->secure && mote_slice_same(mote_cookie_name(secure), c->name) && path.len <= c->path.len &&
         !memcmp(path.ptr, c->path.ptr, path.len) &&
         (mote_cookie_domain_matches(domain, c->domain) || mote_cookie_domain_matches(c->domain, domain));
}

/* Returns the last `labels` labels of a domain, or all of it. */
static struct mote_slice domain_end(struct mote_slice domain, unsigned labels)
{
  size_t at = domain.len;
  while(at && (domain.ptr[at - 1] != '.' || --labels))
    at--;
  domain.ptr += at;
  domain.len -= at;
  return domain;
}

/* Two domains, one under the other, end with the same two labels, unless one of them has a single label. */
static uint32_t hash_secure(struct mote_slice name, struct mote_slice domain, unsigned labels)
{
  return mote_hash_bytes(name.ptr, name.len, hash_text(domain_end(domain, labels)));
}

static bool hides_some(struct mote_jar *j, const struct mote_cookie_text *c, unsigned labels)
{
  uint32_t hash = hash_secure(c->name, c->domain, labels);
  struct mote_hash_node *n = mote_hash_chain(&j->secure, hash);
  while(n && !(n->hash == hash && hides(c, of_secure_node(n))))
    n = n->next;
  return n != NULL;
}

struct overlay {
  const struct mote_cookie_text *c;
  bool found;
};

static bool look_for_hidden(const struct mote_cookie *c, void *arg)
{
  struct overlay *o = arg;
  o->found = o->found || hides(o->c, c);
  return false;
}

/* A secure cookie may be of a domain below. For those below a single label, such as a host of a local
 * network, all are looked at. */
static bool hides_any(struct mote_jar *j, const struct mote_cookie_text *c)
{
  struct overlay o = {c, false};
  if(!j->secure.count)
    return false;
  if(hides_some(j, c, 2) || hides_some(j, c, 1))
    return true;
  if(!memchr(c->domain.ptr, '.', c->domain.len))
    sweep(j, look_for_hidden, &o);
  return o.found;
}

/* What is known of the cookies of a domain while one is added. */
struct neighbours {
  struct mote_cookie *same;   /* the one that is replaced, or NULL */
  struct mote_cookie *victim; /* the oldest, one that is not secure before one that is */
  unsigned count;
};

static bool is_same(const struct mote_cookie *c, const struct mote_cookie_text *t)
{
  return c->name_len == t->name.len && c->path_len == t->path.len && c->tail == t->tail &&
         mote_slice_same(mote_cookie_name(c), t->name) && mote_slice_same(mote_cookie_path(c), t->path) &&
         is_of(c, t->domain);
}

/* Finds the one of the same name, domain, path and tail. What differs most often is compared first. */
static struct mote_cookie *find_same(struct mote_hash_node *n, uint32_t hash,
                                     const struct mote_cookie_text *t)
{
  unsigned mark = mark_of(t->name);
  for(; n; n = n->next)
    if(n->hash == hash && cookie_of(n)->mark == mark && is_same(cookie_of(n), t))
      break;
  return cookie_of(n);
}

static void count_neighbour(struct neighbours *found, struct mote_cookie *c)
{
  const struct mote_cookie *v = found->victim;
  found->count++;
  if(!v || (c->secure == v->secure ? c->born < v->born : v->secure))
    found->victim = c;
}

/* A server has a number of cookies, for which all of the domain are looked at. */
static void look_around(const struct mote_jar *j, const struct mote_cookie_text *t, uint32_t hash,
                        bool server, struct neighbours *found)
{
  struct mote_hash_node *chain = mote_hash_chain(&j->hosts, hash);
  struct mote_cookie *c = server ? with_hash(chain, hash) : NULL;
  *found = (struct neighbours){find_same(chain, hash, t), NULL, 0};
  for(; c; c = with_hash(c->node.next, hash))
    if(c != found->same && is_of(c, t->domain))
      count_neighbour(found, c);
}

/* Reports whether a file's cookie for the hosts under a domain may be for them all. The list of suffixes is
 * asked once per domain, since files have many cookies of one. */
static bool may_have_tail(const struct mote_jar *j, struct mote_slice domain, uint32_t hash)
{
  const struct mote_cookie *c = with_hash(mote_hash_chain(&j->hosts, hash), hash);
  while(c && !(c->tail && is_of(c, domain)))
    c = with_hash(c->node.next, hash);
  return c || !mote_public_suffix(domain);
}

static const char *refused(struct mote_jar *j, const struct mote_cookie_text *t, enum mote_jar_source source,
                           bool secure, const struct neighbours *n)
{
  if(source == MOTE_JAR_FILE && n->same && n->same->live)
    return "it is there already";
  if(source == MOTE_JAR_SERVER && !secure && hides_any(j, t))
    return "it would replace a secure one";
  if(!n->same && !t->expired && j->hosts.count >= MOTE_JAR_MAX)
    return "the jar is full";
  return NULL;
}

/* A cookie that its server has removed stays, but not listed or sent, until a request for its domain. A file
 * that another handle reads for that request does not bring it back. */
static void end_cookie(struct mote_cookie *c)
{
  c->expires = 1;
  c->live = true;
}

/* Adds the new one, and takes away what it replaces, or one of too many. */
static void link_cookie(struct mote_jar *j, struct mote_cookie *c, uint32_t hash, const struct neighbours *n,
                        bool server)
{
  if(n->same)
    drop(j, n->same);
  else if(c && server && n->count >= MOTE_JAR_HOST_MAX)
    drop(j, n->victim);
  if(!c)
    return;
  mote_hash_insert(&j->hosts, &c->node, hash);
  if(c->secure)
    mote_hash_insert(&j->secure, secure_node(c),
                     hash_secure(mote_cookie_name(c), mote_cookie_domain(c), 2));
}

CURLcode mote_jar_add(struct mote_jar *j, const struct mote_cookie_text *text, enum mote_jar_source source,
                      bool secure, const char **why)
{
  uint32_t hash = hash_text(text->domain);
  struct mote_cookie_text t = *text;
  struct mote_cookie *c = NULL;
  struct neighbours n;
  if(source == MOTE_JAR_FILE && t.tail)
    t.tail = may_have_tail(j, t.domain, hash);
  look_around(j, &t, hash, source == MOTE_JAR_SERVER, &n);
  *why = refused(j, &t, source, secure, &n);
  if(*why)
    return CURLE_OK;
  if(t.expired && n.same && source != MOTE_JAR_FILE) {
    end_cookie(n.same);
    return CURLE_OK;
  }
  if(!t.expired) {
    c = make_cookie(j, &t);
    if(!c)
      return CURLE_OUT_OF_MEMORY;
    c->born = n.same ? n.same->born : j->born++;
    c->live = source == MOTE_JAR_SERVER || (source == MOTE_JAR_APPLICATION && j->in_use);
  }
  link_cookie(j, c, hash, &n, source == MOTE_JAR_SERVER);
  return CURLE_OK;
}

/* ---- the cookies of a request ----
 *
 * A domain without a dot has no cookies for the hosts below it. */

struct matching {
  const struct mote_cookie_place *to;
  const struct mote_cookie **found;
  unsigned count;
};

/* The oldest stay where there are more than a request can have. */
static void note_match(struct matching *m, const struct mote_cookie *c)
{
  unsigned i, youngest = 0;
  if(m->count < MOTE_JAR_SENT_MAX) {
    m->found[m->count++] = c;
    return;
  }
  for(i = 1; i < m->count; i++)
    if(m->found[i]->born > m->found[youngest]->born)
      youngest = i;
  if(c->born < m->found[youngest]->born)
    m->found[youngest] = c;
}

static void match_domain(struct mote_jar *j, struct matching *m, struct mote_slice domain, int64_t now)
{
  uint32_t hash = hash_text(domain);
  struct mote_cookie *c = with_hash(mote_hash_chain(&j->hosts, hash), hash);
  bool above = domain.len && domain.len < m->to->host.len;
  while(c) {
    struct mote_cookie *next = with_hash(c->node.next, hash);
    if(is_over(c, now)) {
      drop(j, c); /* the table may move its chains, but not the order within one hash */
      c = next;
      continue;
    }
    if(is_of(c, domain) && (c->tail || !above) && (!c->secure || m->to->secure) &&
       mote_cookie_path_matches(mote_cookie_path(c), m->to->path))
      note_match(m, c);
    c = next;
  }
}

/* Reports whether a is sent before b: what is closer to the request, and then what is younger, as libcurl has
 * it. */
static bool is_before(const struct mote_cookie *a, const struct mote_cookie *b)
{
  if(a->path_len != b->path_len)
    return a->path_len > b->path_len;
  if(a->domain_len != b->domain_len)
    return a->domain_len > b->domain_len;
  if(a->name_len != b->name_len)
    return a->name_len > b->name_len;
  return a->born > b->born;
}

static void insert_sorted(const struct mote_cookie **list, unsigned count)
{
  unsigned i, at;
  for(i = 1; i < count; i++) {
    const struct mote_cookie *c = list[i];
    for(at = i; at && is_before(c, list[at - 1]); at--)
      list[at] = list[at - 1];
    list[at] = c;
  }
}

unsigned mote_jar_match(struct mote_jar *j, const struct mote_cookie_place *to, int64_t now,
                        const struct mote_cookie *found[MOTE_JAR_SENT_MAX])
{
  struct matching m = {to, found, 0};
  struct mote_slice domain = to->host;
  j->in_use = true;
  if(!j->hosts.count)
    return 0;
  match_domain(j, &m, domain, now);
  if(to->address) /* also those that a line has named no domain for */
    match_domain(j, &m, (struct mote_slice){"", 0}, now);
  while(!to->address && domain.len) {
    const char *dot = memchr(domain.ptr, '.', domain.len);
    if(!dot)
      break;
    domain.len -= (size_t)(dot + 1 - domain.ptr);
    domain.ptr = dot + 1;
    if(memchr(domain.ptr, '.', domain.len))
      match_domain(j, &m, domain, now);
  }
  insert_sorted(found, m.count);
  return m.count;
}

/* ---- all cookies ---- */

struct listing {
  const struct mote_cookie **list;
  unsigned count;
};

static bool note_listed(const struct mote_cookie *c, void *arg)
{
  struct listing *l = arg;
  l->list[l->count++] = c;
  return false;
}

/* Moves the oldest to the front: a heap sort, which needs no room and has no bad case. */
static void sift(const struct mote_cookie **list, unsigned at, unsigned count)
{
  const struct mote_cookie *c = list[at];
  unsigned child;
  for(; (child = 2 * at + 1) < count; at = child) {
    if(child + 1 < count && list[child + 1]->born > list[child]->born)
      child++;
    if(list[child]->born <= c->born)
      break;
    list[at] = list[child];
  }
  list[at] = c;
}

static void sort_by_birth(const struct mote_cookie **list, unsigned count)
{
  unsigned i;
  for(i = count / 2; i-- > 0;)
    sift(list, i, count);
  for(i = count; i-- > 1;) {
    const struct mote_cookie *last = list[i];
    list[i] = list[0];
    list[0] = last;
    sift(list, 0, i);
  }
}

const struct mote_cookie **mote_jar_list(struct mote_jar *j, int64_t now, unsigned *count)
{
  struct listing l = {NULL, 0};
  sweep(j, is_late, &now);
  *count = j->hosts.count;
  if(!*count)
    return NULL;
  l.list = mote_mem_alloc(j->account, MOTE_PART_OTHER, *count * sizeof *l.list);
  if(!l.list)
    return NULL;
  sweep(j, note_listed, &l);
  sort_by_birth(l.list, l.count);
  return l.list;
}

void mote_jar_free_list(struct mote_jar *j, const struct mote_cookie **list, unsigned count)
{
  mote_mem_free(j->account, MOTE_PART_OTHER, list, count * sizeof *list);
}

/* ---- text ---- */

size_t mote_cookie_print(const struct mote_cookie *c, char *out)
{
  char *at = put_text(out, c->http_only ? "#HttpOnly_" : "");
  at = put(put_text(at, c->tail ? "." : ""), mote_cookie_domain(c));
  at = put(put_text(at, c->tail ? "\tTRUE\t" : "\tFALSE\t"), mote_cookie_path(c));
  at = put_text(at, c->secure ? "\tTRUE\t" : "\tFALSE\t");
  at += mote_print_dec(at, (uint64_t)c->expires);
  at = put(put_text(at, "\t"), mote_cookie_name(c));
  at = put(put_text(at, "\t"), mote_cookie_value(c));
  *at = 0;
  return (size_t)(at - out);
}
