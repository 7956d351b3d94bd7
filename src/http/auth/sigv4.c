/* http/auth/sigv4.c: signs requests by CURLOPT_AWS_SIGV4(3): collects what the signature covers, and writes
 * the fields that it needs. The signature is auth/sign/sigv4.h's.
 *
 * Signed are Host, the date, the payload's digest, and the lines of CURLOPT_HTTPHEADER that are sent, but not
 * the fields that the library adds (seen with libcurl 8.23), nor Connection, which a proxy may change. Texts
 * that are only needed for the signature are put into the writer's free room and taken out again. */
#include <string.h>

#include "auth/scheme.h"
#include "auth/sign/sigv4.h"
#include "base/memory.h"
#include "base/report.h"
#include "codec/url/percent.h"
#include "http/auth/auth.h"
#include "http/hooks.h"
#include "http/request.h"
#include "port/port.h"
#include "transfer/upload/source.h"

/* The beginning of the key of the last request as MOTE_OPT_SIGV4 keeps it. The secret and the scope, which it
 * follows from, come after it. */
struct kept_key {
  struct mote_hmac key;
  size_t secret;          /* bytes of the secret */
};

/* A request while it is signed. */
struct signing {
  struct mote_http_writer *w;
  struct mote_sigv4 s;
  struct mote_auth_login login;
  size_t base;                             /* bytes of the head without the texts in the free room */
  size_t host, target, kept, end;          /* where these begin, and where the last one ends */
  struct mote_hmac key;
  size_t items;                            /* room of s.fields, in items; s.params follows */
  char date_name[MOTE_SIGV4_NAME];
  char payload_name[MOTE_SIGV4_NAME];
  char date[MOTE_SIGV4_DATE];              /* when the application has none */
  char payload[MOTE_SIGV4_HEX];
  char signature[MOTE_SIGV4_HEX];
  bool puts_date, puts_payload;            /* these fields are ours to write */
};

/* ---- what is signed ---- */

static CURLcode read_words(struct signing *g)
{
  struct mote_transfer *t = g->w->t;
  const char *text = mote_opt_str(&t->options, CURLOPT_AWS_SIGV4);
  CURLcode rc = mote_sigv4_parse(&g->s.words, text ? text : "", mote_url_packed_host(&t->run->request.url));
  if(rc == CURLE_BAD_FUNCTION_ARGUMENT)
    mote_fail(&t->report, "CURLOPT_AWS_SIGV4 names no provider");
  else if(rc)
    mote_fail(&t->report, "neither CURLOPT_AWS_SIGV4 nor the host names the %s",
              g->s.words.service.len ? "region" : "service");
  return rc;
}

/* Returns the value of a line that follows its name. */
static struct mote_slice auth_sigv4_value_of(const char *rest)
{
  return mote_slice_trim(mote_slice_of(rest + 1));
}

/* The application's date counts only as libcurl knows it. Any other is sent, but signed as none. */
static void choose_date(struct signing *g)
{
  const char *own;
  (void)mote_sigv4_date_name(&g->s.words, g->date_name);
  own = mote_http_own_line(g->w->t, g->date_name);
  if(!own)
    own = mote_http_own_line(g->w->t, "Date");
  g->puts_date = !own;
  if(own) {
    g->s.date = auth_sigv4_value_of(own);
    if(g->s.date.len != MOTE_SIGV4_DATE)
      g->s.date.len = 0;
    return;
  }
  mote_sigv4_print_date(mote_port_wall(), g->date);
  g->s.date.ptr = g->date;
  g->s.date.len = sizeof g->date;
}

/* A body in memory is the only one whose digest is known before it is sent. */
static bool body_in_memory(const struct mote_transfer *t, struct mote_slice *body)
{
  body->ptr = NULL;
  body->len = 0;
  return !t->run->body || mote_source_size(t) == 0 || mote_source_in_memory(t, body);
}

static void choose_payload(struct signing *g)
{
  static const struct mote_slice unsigned_payload = {"UNSIGNED-PAYLOAD", 16};
  bool s3 = mote_sigv4_is_s3(&g->s.words);
  const char *own;
  struct mote_slice body;
  (void)mote_sigv4_payload_name(&g->s.words, g->payload_name);
  own = mote_http_own_line(g->w->t, g->payload_name);
  g->puts_payload = s3 && !own;
  if(own) {
    g->s.payload = auth_sigv4_value_of(own);
    if(g->s.payload.len)
      return;
  }
  if(!body_in_memory(g->w->t, &body) && s3) {
    g->s.payload = unsigned_payload;
    return;
  }
  mote_sigv4_digest(body, g->payload);
  g->s.payload.ptr = g->payload;
  g->s.payload.len = sizeof g->payload;
}

/* ---- texts in the writer's free room ---- */

static size_t auth_sigv4_put_secret(struct signing *g)
{
  struct mote_slice secret = g->login.password;
  size_t n = secret.len;
  char *to = mote_http_room(g->w, n);
  if(!to || !n)
    return 0;
  if(g->login.password_coded)
    g->w->rc = mote_percent_decode(secret, 0, to, n, &n);
  else
    memcpy(to, secret.ptr, n);
  g->w->len += n;
  return n;
}

/* Puts what MOTE_OPT_SIGV4 holds if the key is the same, with room for the key. */
static void put_kept(struct signing *g)
{
  struct mote_http_writer *w = g->w;
  struct kept_key kept = {.secret = 0};
  char scope[MOTE_SIGV4_SCOPE];
  g->kept = w->len;
  mote_http_put(w, (const char *)&kept, sizeof kept);
  kept.secret = auth_sigv4_put_secret(g);
  mote_http_put(w, scope, mote_sigv4_scope(&g->s, scope));
  if(w->rc)
    return;
  memcpy(w->ptr + g->kept, &kept, sizeof kept);
  g->s.secret.ptr = w->ptr + g->kept + sizeof kept;
  g->s.secret.len = kept.secret;
}

static void put_texts(struct signing *g)
{
  struct mote_http_writer *w = g->w;
  g->base = g->host = w->len;
  mote_http_put_authority(w);
  g->target = w->len;
  mote_http_put_path(w);
  put_kept(g);
  g->end = w->len;
}

static struct mote_slice auth_sigv4_text_at(const struct signing *g, size_t from, size_t to)
{
  struct mote_slice s = {g->w->ptr + from, to - from};
  return s;
}

static void take_texts(struct signing *g)
{
  struct mote_slice target = auth_sigv4_text_at(g, g->target, g->kept);
  const char *query = memchr(target.ptr, '?', target.len);
  g->s.path = target;
  if(query) {
    g->s.path.len = (size_t)(query - target.ptr);
    g->s.query.ptr = query + 1;
    g->s.query.len = target.len - g->s.path.len - 1;
  }
  g->s.method = mote_slice_of(mote_http_method(g->w->t));
}

static void drop_texts(struct signing *g)
{
  memset(g->w->ptr + g->base, 0, g->end - g->base);
  g->w->len = g->base;
}

/* Most of a signature's cost is its key, so that it is kept for the next request of the handle. */
static void find_key(struct signing *g)
{
  struct mote_options *o = &g->w->t->options;
  struct mote_option kept;
  struct mote_slice now = auth_sigv4_text_at(g, g->kept, g->end);
  const size_t key = sizeof(struct mote_hmac);
  bool changed = o->changed;
  if(mote_option_view(o, MOTE_OPT_SIGV4, &kept) && kept.size == now.len &&
     !memcmp((const char *)kept.v.ptr + key, now.ptr + key, now.len - key)) {
    memcpy(&g->key, kept.v.ptr, key);
    return;
  }
  mote_sigv4_make_key(&g->s, &g->key);
  memcpy(g->w->ptr + g->kept, &g->key, key);
  (void)mote_option_set_blob(o, MOTE_OPT_SIGV4, now.ptr, now.len, true);
  o->changed = changed;
}

/* ---- fields ---- */

static void add_field(struct signing *g, struct mote_slice name, struct mote_slice value)
{
  struct mote_sigv4_item *item = &g->s.fields[g->s.field_count];
  item->name = name;
  item->value = value;
  item->order = g->s.field_count++;
}

static void auth_sigv4_add_host(struct signing *g)
{
  static const struct mote_slice name = {"host", 4};
  const char *own = g->w->t->run->request.other_origin ? NULL : mote_http_own_line(g->w->t, "Host");
  if(!own)
    add_field(g, name, auth_sigv4_text_at(g, g->host, g->target));
  else if(*own == ';' || own[1])
    add_field(g, name, auth_sigv4_value_of(own));
}

static void add_lines(struct signing *g)
{
  const struct curl_slist *l = mote_opt_ptr(&g->w->t->options, CURLOPT_HTTPHEADER);
  struct mote_slice name, value;
  for(; l; l = l->next)
    if(mote_http_line_is_sent(g->w, l->data, &name, &value))
      add_field(g, mote_slice_trim(name), value);
}

/* ---- signing ---- */

static CURLcode count_items(struct signing *g)
{
  const struct curl_slist *l = mote_opt_ptr(&g->w->t->options, CURLOPT_HTTPHEADER);
  size_t params = mote_sigv4_count(g->s.query);
  if(params > MOTE_SIGV4_ITEMS)
    return mote_fail_as(CURLE_TOO_LARGE, &g->w->t->report,
                        "a URL with more than %d parameters cannot be signed", MOTE_SIGV4_ITEMS);
  g->items = 3;
  for(; l; l = l->next)
    g->items++;
  g->s.params = NULL;
  g->s.fields = mote_mem_alloc(&g->w->t->account, MOTE_PART_TRANSFER,
                               (g->items + params) * sizeof *g->s.fields);
  if(!g->s.fields)
    return CURLE_OUT_OF_MEMORY;
  g->s.params = g->s.fields + g->items;
  g->items += params;
  return CURLE_OK;
}

static void put_slice(struct mote_http_writer *w, struct mote_slice s)
{
  mote_http_put(w, s.ptr, s.len);
}

/* The user is percent-encoded, whatever it looked like before. */
static void auth_sigv4_put_user(struct signing *g)
{
  struct mote_slice user = g->login.user;
  char *to = mote_http_room(g->w, 4 * user.len);
  if(!to || !user.len)
    return;
  if(g->login.user_coded) {
    char *plain = to + 3 * user.len;
    g->w->rc = mote_percent_decode(user, 0, plain, user.len, &user.len);
    user.ptr = plain;
  }
  if(!g->w->rc)
    g->w->len += mote_percent_encode(user, 0, NULL, to, 3 * user.len);
}

static void auth_sigv4_put_authorization(struct signing *g)
{
  struct mote_http_writer *w = g->w;
  char text[MOTE_SIGV4_SCOPE];
  unsigned i;
  size_t k;
  mote_http_begin_field(w, "Authorization", "");
  mote_http_put(w, text, mote_sigv4_algorithm(&g->s.words, text));
  mote_http_put_text(w, " Credential=");
  auth_sigv4_put_user(g);
  mote_http_put(w, "/", 1);
  mote_http_put(w, text, mote_sigv4_scope(&g->s, text));
  mote_http_put_text(w, ", SignedHeaders=");
  for(i = 0; i < g->s.field_count; i++) {
    struct mote_slice name = g->s.fields[i].name;
    char *to;
    if(mote_sigv4_repeats(&g->s, i))
      continue;
    to = mote_http_room(w, name.len + 1);
    if(!to)
      return;
    if(i)
      *to++ = ';';
    for(k = 0; k < name.len; k++)
      to[k] = mote_to_lower(name.ptr[k]);
    w->len += name.len + (i != 0);
  }
  mote_http_put_text(w, ", Signature=");
  mote_http_put(w, g->signature, sizeof g->signature);
  mote_http_end_field(w);
}

static void put_own_field(struct signing *g, const char *name, struct mote_slice value)
{
  mote_http_begin_field(g->w, name, "");
  put_slice(g->w, value);
  mote_http_end_field(g->w);
}

static CURLcode auth_sigv4_sign(struct signing *g)
{
  CURLcode rc = read_words(g);
  if(rc)
    return rc;
  choose_date(g);
  choose_payload(g);
  put_texts(g);
  if(g->w->rc)
    return g->w->rc;
  take_texts(g);
  rc = count_items(g);
  if(!rc) {
    auth_sigv4_add_host(g);
    if(g->puts_date)
      add_field(g, mote_slice_of(g->date_name), g->s.date);
    if(g->puts_payload)
      add_field(g, mote_slice_of(g->payload_name), g->s.payload);
    add_lines(g);
    find_key(g);
    mote_sigv4_sign(&g->s, &g->key, g->signature);
  }
  drop_texts(g);
  return rc;
}

static void auth_sigv4_put_signature(struct mote_http_writer *w)
{
  struct mote_transfer *t = w->t;
  struct signing g = {.w = w};
  if(mote_opt_long(&t->options, CURLOPT_HTTPAUTH) != (long)CURLAUTH_AWS_SIGV4 || w->rc ||
     mote_http_has_own(t, "Authorization"))
    return;
  mote_http_find_login(t, &g.login);
  if(!g.login.user.len && !g.login.password.len)
    return;
  if(mote_opt_long(&t->options, CURLOPT_PATH_AS_IS)) {
    mote_fail(&t->report, "CURLOPT_AWS_SIGV4 does not go with CURLOPT_PATH_AS_IS");
    w->rc = CURLE_BAD_FUNCTION_ARGUMENT;
    return;
  }
  w->rc = auth_sigv4_sign(&g);
  if(!w->rc) {
    auth_sigv4_put_authorization(&g);
    if(g.puts_date)
      put_own_field(&g, g.date_name, g.s.date);
    if(g.puts_payload)
      put_own_field(&g, g.payload_name, g.s.payload);
    t->run->stats.auth_used = CURLAUTH_AWS_SIGV4;
  }
  mote_mem_free(&t->account, MOTE_PART_TRANSFER, g.s.fields, g.items * sizeof *g.s.fields);
}

const struct mote_http_hook mote_http_sigv4 = {
  .name = "aws_sigv4",
  .options = MOTE_HTTP_WHEN(CURLOPT_HTTPAUTH),
  .place = MOTE_HTTP_AFTER_HOST,
  .request = auth_sigv4_put_signature,
};
