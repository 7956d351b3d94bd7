/* http/cookies/cookie_jar.c: stores and finds cookies (http/cookies/cookie_jar.h). */
#include "http/cookies/cookie_jar.h"

#include <stddef.h>
#include <string.h>

#include "base/containers/list.h"
#include "base/memory.h"
#include "codec/files/cookie.h"
#include "http/cookies/public_suffix.h"

/* ---- texts ---- */

/* Letters of both cases have the bit that makes them small. */
static uint64_t cookie_jar_mix(uint64_t h, uint64_t bytes)
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
    h = cookie_jar_mix(h, eight);
  }
  if(s.len >= sizeof eight)
    memcpy(&eight, s.ptr + s.len - sizeof eight, sizeof eight);
  for(; s.len < sizeof eight && i < s.len; i++)
    eight = eight << 8 | (unsigned char)s.ptr[i];
  return (uint32_t)cookie_jar_mix(h, eight);
}

/* ---- keys ----
 *
 * The key of a cookie has half of its domain's hash in front, which few domains have in common, then name and
 * path, and the other half. */

enum { DOMAIN_BITS = 16 };

static uint64_t key_of_domain(uint32_t domain)
{
  return (uint64_t)domain << 48 | domain >> 16;
}

static uint64_t cookie_jar_key_of(uint32_t domain, struct mote_slice name, struct mote_slice path)
{
  uint32_t rest = hash_text(name);
  if(path.len > 1)
    rest = (uint32_t)cookie_jar_mix(rest, hash_text(path));
  return key_of_domain(domain) | (uint64_t)rest << 16;
}

/* The bits of a key that are of its domain. */
#define DOMAIN_MASK UINT64_C(0xffff00000000ffff)

/* ---- blocks ---- */

static struct mote_cookie *cookie_of(struct mote_trie_node *n)
{
  return n ? mote_container_of(n, struct mote_cookie, node) : NULL;
}

static size_t cookie_jar_text_len(const struct mote_cookie *c)
{
  return c->domain_len + c->path_len + mote_cookie_pair(c).len;
}

/* The node of a secure cookie in jar->secure. */
static struct mote_trie_node *secure_node(struct mote_cookie *c)
{
  return (struct mote_trie_node *)c - 1;
}

static struct mote_cookie *of_secure_node(struct mote_trie_node *n)
{
  return (struct mote_cookie *)(n + 1);
}

static size_t block_len(size_t front, size_t text)
{
  return front + offsetof(struct mote_cookie, text) + text;
}

static void cookie_jar_free_block(struct mote_jar *j, struct mote_cookie *c)
{
  size_t front = c->secure ? sizeof(struct mote_trie_node) : 0;
  mote_mem_free(j->account, MOTE_PART_OTHER, (char *)c - front, block_len(front, cookie_jar_text_len(c)));
}

/* Frees one that is not linked among the cookies any more. */
static void free_cookie(struct mote_jar *j, struct mote_cookie *c)
{
  if(c->secure)
    mote_trie_unlink(mote_trie_find(&j->secure, secure_node(c)));
  cookie_jar_free_block(j, c);
}

static void cookie_jar_drop(struct mote_jar *j, struct mote_trie_node **at)
{
  struct mote_cookie *c = cookie_of(*at);
  mote_trie_unlink(at);
  j->count--;
  free_cookie(j, c);
}

static char *cookie_jar_put(char *at, struct mote_slice s)
{
  if(s.len)
    memcpy(at, s.ptr, s.len);
  return at + s.len;
}

static inline char *cookie_jar_put_text(char *at, const char *text)
{
  size_t len = strlen(text);
  memcpy(at, text, len);
  return at + len;
}

/* Copies two texts with a byte in between, which in a line of a file and in most fields they have, too. */
static char *cookie_jar_put_pair(char *at, struct mote_slice first, struct mote_slice second, char between)
{
  if(second.ptr == first.ptr + first.len + 1)
    memcpy(at, first.ptr, first.len + 1 + second.len);
  else
    cookie_jar_put(cookie_jar_put(at, first) + 1, second);
  at[first.len] = between;
  return at + first.len + 1 + second.len;
}

/* Most paths are "/". */
static char *cookie_jar_put_path(char *at, struct mote_slice path)
{
  if(path.len != 1)
    return cookie_jar_put(at, path);
  *at = *path.ptr;
  return at + 1;
}

/* The text has a path, so that the block is not shorter than the struct. */
static struct mote_cookie *make_cookie(struct mote_jar *j, const struct mote_cookie_text *t, bool tail)
{
  size_t len = t->domain.len + t->path.len + t->name.len + t->value.len + 3;
  size_t front = t->secure ? sizeof(struct mote_trie_node) : 0;
  char *at, *block = mote_mem_alloc(j->account, MOTE_PART_OTHER, block_len(front, len));
  struct mote_cookie *c = (struct mote_cookie *)(void *)(block + front);
  if(!block)
    return NULL;
  c->expires = t->expires;
  c->domain_len = (uint8_t)t->domain.len;
  c->path_len = (uint16_t)t->path.len;
  c->name_len = (uint16_t)t->name.len;
  c->value_len = (uint16_t)t->value.len;
  c->tail = tail;
  c->secure = t->secure;
  c->http_only = t->http_only;
  at = cookie_jar_put_text(cookie_jar_put_path(cookie_jar_put(c->text, t->domain), t->path), "; ");
  (void)cookie_jar_put_pair(at, t->name, t->value, '=');
  return c;
}

/* ---- the index ---- */

/* Most domains are in lower case. */
static bool is_of(const struct mote_cookie *c, struct mote_slice domain)
{
  return c->domain_len == domain.len && (!domain.len || !memcmp(c->text, domain.ptr, domain.len) ||
                                         mote_equal_nocase_n(c->text, domain.ptr, domain.len));
}

static bool cookie_jar_is_over(const struct mote_cookie *c, int64_t now)
{
  return c->expires && c->expires < now;
}

/* Asks of every cookie whether it goes, and removes those that do. */
static void cookie_jar_sweep(struct mote_jar *j, bool (*goes)(const struct mote_cookie *c, void *arg),
                             void *arg)
{
  struct mote_trie_walk w;
  struct mote_trie_node *n;
  mote_trie_begin(&w, &j->cookies, 0, 0, 0);
  while((n = mote_trie_next(&w)) != NULL)
    if(goes(cookie_of(n), arg))
      cookie_jar_drop(j, w.at);
}

void mote_jar_init(struct mote_jar *j, struct mote_account *account)
{
  memset(j, 0, sizeof *j);
  j->account = account;
}

static bool of_session(const struct mote_cookie *c, void *arg)
{
  (void)arg;
  return !c->expires;
}

void mote_jar_clear(struct mote_jar *j)
{
  struct mote_trie_node *n;
  while((n = mote_trie_drain(&j->cookies)) != NULL)
    cookie_jar_free_block(j, cookie_of(n));
  j->secure = NULL;
  j->count = 0;
}

void mote_jar_clear_session(struct mote_jar *j)
{
  cookie_jar_sweep(j, of_session, NULL);
}

/* ---- adding ---- */

const char *mote_jar_judge_line(struct mote_cookie_text *c)
{
  bool fits = mote_cookie_prefix_fits(c); /* "__Host-" needs the path of a request, or its own */
  if(!c->path.len)
    c->path = mote_cookie_default_path(c->path);
  if(c->domain.len > MOTE_JAR_DOMAIN_MAX)
    return "its domain is too long";
  if(c->path.len > MOTE_JAR_PATH_MAX)
    return "its path is too long";
  return fits ? NULL : "its name has a prefix that the rest does not allow";
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
static bool cookie_jar_hides(const struct mote_cookie_text *c, const struct mote_cookie *secure)
{
  struct mote_slice domain = mote_cookie_domain(secure), path = mote_cookie_path(secure);
  const char *end = path.len > 1 ? memchr(path.ptr + 1, '/', path.len - 1) : NULL;
  if(end)
    path.len = (size_t)(end - path.ptr);
  return secure->secure && mote_slice_same(mote_cookie_name(secure), c->name) && path.len <= c->path.len &&
         !memcmp(path.ptr, c->path.ptr, path.len) &&
         (mote_cookie_domain_matches(domain, c->domain) || mote_cookie_domain_matches(c->domain, domain));
}

/* Takes the last label off a domain. */
static struct mote_slice last_label(struct mote_slice *domain)
{
  struct mote_slice label = {domain->ptr + domain->len, 0};
  while(domain->len && domain->ptr[domain->len - 1] != '.') {
    domain->len--;
    label.ptr--;
    label.len++;
  }
  domain->len -= domain->len > 0;
  return label;
}

/* The first half of the key is of the name and the domain's last label, the other of the label before, if it
 * has one. Two domains, one under the other, have the same key then, unless one of them is a single label. */
static uint64_t key_of_secure(struct mote_slice name, struct mote_slice domain)
{
  uint32_t top = (uint32_t)cookie_jar_mix(hash_text(name), hash_text(last_label(&domain)));
  return (uint64_t)top << 32 | (domain.len ? hash_text(last_label(&domain)) : 0);
}

static bool hides_some(struct mote_jar *j, const struct mote_cookie_text *c, uint64_t key, uint64_t mask,
                       unsigned bits)
{
  struct mote_trie_walk w;
  struct mote_trie_node *n;
  mote_trie_begin(&w, &j->secure, key, mask, bits);
  while((n = mote_trie_next(&w)) != NULL && !cookie_jar_hides(c, of_secure_node(n)))
    ;
  return n != NULL;
}

/* Below a single label, such as a host of a local network, all are looked at that have the name. Above other
 * domains a single label may have one, too. */
static bool hides_any(struct mote_jar *j, const struct mote_cookie_text *c)
{
  const uint64_t all = UINT64_MAX, top = all << 32;
  uint64_t key;
  if(!j->secure)
    return false;
  key = key_of_secure(c->name, c->domain);
  if(!memchr(c->domain.ptr, '.', c->domain.len))
    return hides_some(j, c, key, top, 32);
  return hides_some(j, c, key, all, 64) || hides_some(j, c, key & top, all, 64);
}

static bool cookie_jar_is_same(const struct mote_cookie *c, const struct mote_cookie_text *t, bool tail)
{
  return c->tail == tail && mote_slice_same(mote_cookie_name(c), t->name) &&
         mote_slice_same(mote_cookie_path(c), t->path) && is_of(c, t->domain);
}

/* Where a cookie is in the tree, or would be. */
struct place {
  uint64_t key;
  struct mote_trie_node **at;
  bool tail_fits; /* a cookie of its domain, on the way to it, is for the hosts below, too; or no line asks */
};

/* Finds the one of the same name, domain, path and tail. */
static void cookie_jar_find_place(struct mote_jar *j, struct place *p, const struct mote_cookie_text *t,
                                  bool tail)
{
  struct mote_trie_node **at = &j->cookies, *n;
  uint64_t key = p->key, way = key;
  for(; !p->tail_fits && (n = *at) != NULL && n->key != key; way <<= 1) {
    p->tail_fits = !((n->key ^ key) & DOMAIN_MASK) && cookie_of(n)->tail && is_of(cookie_of(n), t->domain);
    at = &n->child[way >> 63];
  }
  for(; (n = *at) != NULL && (n->key != key || !cookie_jar_is_same(cookie_of(n), t, tail)); way <<= 1)
    at = &n->child[way >> 63];
  p->at = at;
}

/* A file's cookie for the hosts under a domain may be for that host alone. The list of suffixes is asked once
 * per domain, since files have many cookies of one: where the tree is not crowded, the first of them lies on
 * the way to all. Returns the cookie's tail. */
static bool find_place_of_line(struct mote_jar *j, struct place *p, const struct mote_cookie_text *t)
{
  cookie_jar_find_place(j, p, t, t->tail);
  if(!t->tail || *p->at || p->tail_fits || !mote_public_suffix(t->domain))
    return t->tail;
  cookie_jar_find_place(j, p, t, false);
  return false;
}

/* Visits the cookies of a domain. */
struct of_domain {
  struct mote_trie_walk walk;
  struct mote_slice domain;
};

static void begin_domain(struct of_domain *d, struct mote_jar *j, struct mote_slice domain)
{
  mote_trie_begin(&d->walk, &j->cookies, key_of_domain(hash_text(domain)), DOMAIN_MASK, DOMAIN_BITS);
  d->domain = domain;
}

static struct mote_cookie *next_of_domain(struct of_domain *d)
{
  struct mote_trie_node *n;
  while((n = mote_trie_next(&d->walk)) != NULL && !is_of(cookie_of(n), d->domain))
    ;
  return cookie_of(n);
}

/* A server has a number of cookies. Returns the one that goes when it has them, which is the oldest, one that
 * is not secure before one that is, or NULL. */
static struct mote_cookie *one_too_many(struct mote_jar *j, struct mote_slice domain)
{
  struct mote_cookie *c, *victim = NULL;
  struct of_domain d;
  unsigned count = 0;
  if(j->count < MOTE_JAR_HOST_MAX)
    return NULL;
  begin_domain(&d, j, domain);
  for(; (c = next_of_domain(&d)) != NULL; count++)
    if(!victim || (c->secure == victim->secure ? c->born < victim->born : victim->secure))
      victim = c;
  return count >= MOTE_JAR_HOST_MAX ? victim : NULL;
}

static const char *cookie_jar_refused(struct mote_jar *j, const struct mote_cookie_text *t,
                                      enum mote_jar_source source,
                                      bool secure, const struct mote_cookie *same)
{
  if(source == MOTE_JAR_FILE && same && same->live)
    return "it is there already";
  if(source == MOTE_JAR_SERVER && !secure && hides_any(j, t))
    return "it would replace a secure one";
  if(!same && !t->expired && j->count >= MOTE_JAR_MAX)
    return "the jar is full";
  return NULL;
}

/* A cookie that its server has removed stays, but not listed or sent, until a request for its domain. A file
 * that another handle reads for that request does not bring it back. */
static void end_cookie(struct mote_jar *j, struct mote_trie_node **at, enum mote_jar_source source)
{
  struct mote_cookie *c = cookie_of(*at);
  if(c && source == MOTE_JAR_FILE)
    cookie_jar_drop(j, at);
  else if(c) {
    c->expires = 1;
    c->live = true;
  }
}

/* Links a new cookie where the one of its key is, which it replaces, or would be. */
static void link_cookie(struct mote_jar *j, struct mote_cookie *c, const struct place *p)
{
  struct mote_cookie *same = cookie_of(*p->at);
  if(same) {
    c->born = same->born;
    mote_trie_replace(p->at, &c->node);
    free_cookie(j, same);
  }
  else {
    c->born = j->born++;
    j->again = j->again || !j->born;
    j->count++;
    mote_trie_link(p->at, &c->node, p->key);
  }
  if(c->secure)
    mote_trie_add(&j->secure, secure_node(c), key_of_secure(mote_cookie_name(c), mote_cookie_domain(c)));
}

CURLcode mote_jar_add(struct mote_jar *j, const struct mote_cookie_text *t, enum mote_jar_source source,
                      bool secure, const char **why)
{
  struct place p = {.key = cookie_jar_key_of(hash_text(t->domain), t->name, t->path),
                    .tail_fits = source != MOTE_JAR_FILE};
  struct mote_cookie *c, *victim = NULL;
  bool tail = t->tail;
  if(source == MOTE_JAR_FILE)
    tail = find_place_of_line(j, &p, t);
  else
    cookie_jar_find_place(j, &p, t, tail);
  *why = cookie_jar_refused(j, t, source, secure, cookie_of(*p.at));
  if(*why)
    return CURLE_OK;
  if(t->expired) {
    end_cookie(j, p.at, source);
    return CURLE_OK;
  }
  c = make_cookie(j, t, tail);
  if(!c)
    return CURLE_OUT_OF_MEMORY;
  c->live = source == MOTE_JAR_SERVER || (source == MOTE_JAR_APPLICATION && j->in_use);
  if(source == MOTE_JAR_SERVER && !*p.at)
    victim = one_too_many(j, t->domain);
  link_cookie(j, c, &p);
  if(victim)
    cookie_jar_drop(j, mote_trie_find(&j->cookies, &victim->node));
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
  bool above = domain.len && domain.len < m->to->host.len;
  struct mote_cookie *c;
  struct of_domain d;
  begin_domain(&d, j, domain);
  while((c = next_of_domain(&d)) != NULL) {
    if(cookie_jar_is_over(c, now))
      cookie_jar_drop(j, d.walk.at);
    else if((c->tail || !above) && (!c->secure || m->to->secure) &&
            mote_cookie_path_matches(mote_cookie_path(c), m->to->path))
      note_match(m, c);
  }
}

/* What is closer to the request is sent first, and then what is younger, as libcurl has it. */
static uint64_t cookie_jar_rank(const struct mote_cookie *c)
{
  return (uint64_t)c->path_len << 32 | (uint64_t)c->domain_len << 16 | c->name_len;
}

/* Each one's place among those before it is found by halves. */
static void sort_by_rank(const struct mote_cookie **list, unsigned count)
{
  unsigned i;
  for(i = 1; i < count; i++) {
    const struct mote_cookie *c = list[i];
    uint64_t own = cookie_jar_rank(c);
    unsigned low = 0, high = i;
    while(low < high) {
      unsigned middle = (low + high) / 2;
      uint64_t other = cookie_jar_rank(list[middle]);
      if(own > other || (own == other && c->born > list[middle]->born))
        high = middle;
      else
        low = middle + 1;
    }
    memmove(list + low + 1, list + low, (i - low) * sizeof *list);
    list[low] = c;
  }
}

unsigned mote_jar_match(struct mote_jar *j, const struct mote_cookie_place *to, int64_t now,
                        const struct mote_cookie *found[MOTE_JAR_SENT_MAX])
{
  struct matching m = {to, found, 0};
  struct mote_slice domain = to->host;
  j->in_use = true;
  if(!j->count)
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
  sort_by_rank(found, m.count);
  return m.count;
}

/* ---- all cookies ---- */

#define SEATS_MOST 4u /* places per cookie, where cookies are sorted by their places */

static bool drops_over(const struct mote_cookie *c, void *arg)
{
  const int64_t *now = arg;
  return cookie_jar_is_over(c, *now);
}

static bool note_listed(const struct mote_cookie *c, void *arg)
{
  struct mote_jar_list *l = arg;
  l->list[l->count++] = c;
  return false;
}

/* Moves the oldest to the front: a heap sort, which needs no room and has no bad case. */
static void cookie_jar_sift(const struct mote_cookie **list, unsigned at, unsigned count)
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
    cookie_jar_sift(list, i, count);
  for(i = count; i-- > 1;) {
    const struct mote_cookie *last = list[i];
    list[i] = list[0];
    list[0] = last;
    cookie_jar_sift(list, 0, i);
  }
}

struct seats {
  const struct mote_cookie **list;
  int64_t now;
};

static bool cookie_jar_seat(const struct mote_cookie *c, void *arg)
{
  const struct seats *s = arg;
  if(cookie_jar_is_over(c, s->now))
    return true;
  s->list[c->born] = c;
  return false;
}

/* Each cookie gets the place of its birth, and the gaps of those that are gone are closed. */
static void list_by_seats(struct mote_jar *j, struct mote_jar_list *l, int64_t now)
{
  struct seats s = {l->list, now};
  unsigned i;
  memset(l->list, 0, l->room * sizeof *l->list);
  cookie_jar_sweep(j, cookie_jar_seat, &s);
  for(i = 0; i < l->room; i++)
    if(l->list[i])
      l->list[l->count++] = l->list[i];
}

/* An old jar may have wide gaps. */
CURLcode mote_jar_list(struct mote_jar *j, int64_t now, struct mote_jar_list *l)
{
  bool wide = j->again || j->born / SEATS_MOST > j->count;
  memset(l, 0, sizeof *l);
  if(wide)
    cookie_jar_sweep(j, drops_over, &now);
  if(!j->count)
    return CURLE_OK;
  l->room = wide ? j->count : j->born;
  l->list = mote_mem_alloc(j->account, MOTE_PART_OTHER, l->room * sizeof *l->list);
  if(!l->list)
    return CURLE_OUT_OF_MEMORY;
  if(!wide)
    list_by_seats(j, l, now);
  else {
    cookie_jar_sweep(j, note_listed, l);
    sort_by_birth(l->list, l->count);
  }
  return CURLE_OK;
}

void mote_jar_free_list(struct mote_jar *j, const struct mote_jar_list *l)
{
  mote_mem_free(j->account, MOTE_PART_OTHER, l->list, l->room * sizeof *l->list);
}

/* ---- text ---- */

size_t mote_cookie_print(const struct mote_cookie *c, char *out)
{
  char *at = out;
  if(c->http_only)
    at = cookie_jar_put_text(at, "#HttpOnly_");
  if(c->tail)
    at = cookie_jar_put_text(cookie_jar_put(cookie_jar_put_text(at, "."), mote_cookie_domain(c)), "\tTRUE\t");
  else
    at = cookie_jar_put_text(cookie_jar_put(at, mote_cookie_domain(c)), "\tFALSE\t");
  at = cookie_jar_put_path(at, mote_cookie_path(c));
  at = c->secure ? cookie_jar_put_text(at, "\tTRUE\t") : cookie_jar_put_text(at, "\tFALSE\t");
  at += mote_print_dec(at, (uint64_t)c->expires);
  *at++ = '\t';
  at = cookie_jar_put_pair(at, mote_cookie_name(c), mote_cookie_value(c), '\t');
  *at = 0;
  return (size_t)(at - out);
}
