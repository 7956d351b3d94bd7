/* http/cookies/cookies.c: the Cookie field of a request, the Set-Cookie fields of a response (RFC 6265bis),
 * and the options of the cookie engine (http/cookies/cookies.h). */
#include "http/cookies/cookies.h"

#include <string.h>

#include "base/containers/slist.h"
#include "codec/files/cookie.h"
#include "codec/http/http1.h"
#include "codec/url/url.h"
#include "http/cookies/cookie_files.h"
#include "http/cookies/cookie_jar.h"
#include "http/hooks.h"
#include "http/hosts/text_files.h"
#include "http/request.h"
#include "port/port.h"
#include "transfer/multi/share.h"
#include "transfer/protocol.h"

#define HEADER_MAX 8190 /* bytes of "Cookie: …"; libcurl's limit */
#define SET_MAX 50      /* Set-Cookie fields of a response that are read; libcurl's limit */

struct mote_cookies {
  struct mote_jar own;            /* unless the share has one */
  struct mote_text_file *files; /* CURLOPT_COOKIEFILE, in its order; which of them are read is about the jar
                                   that is used now */
  uint8_t received;               /* Set-Cookie fields of this response */
  bool used;                      /* by a request or CURLOPT_COOKIELIST: there is something to write */
  bool of_share;                  /* the share's jar is used */
};

static struct mote_cookies *cookies_engine_of(const struct mote_transfer *t)
{
  return mote_opt_find_ptr(&t->options, MOTE_OPT_COOKIES);
}

/* ---- which jar ---- */

static struct mote_jar *shared_jar(struct mote_transfer *t)
{
  return mote_share_of(t) ? mote_share_jar(t) : NULL;
}

static struct mote_jar *open_jar(struct mote_transfer *t, struct mote_cookies *e)
{
  struct mote_jar *jar = shared_jar(t);
  mote_share_lock(t, CURL_LOCK_DATA_COOKIE);
  return jar ? jar : &e->own;
}

static void close_jar(struct mote_transfer *t)
{
  mote_share_unlock(t, CURL_LOCK_DATA_COOKIE);
}

/* After the jar is closed, since no callback is called under a lock. It may switch the engine off. Only a
 * verbose transfer reports them. */
static void cookies_report_directories(struct mote_transfer *t)
{
  struct mote_cookies *e;
  if(!t->report.verbose)
    return;
  do
    e = cookies_engine_of(t);
  while(e && mote_cookie_files_warn(t, e->files));
}

/* ---- requests ---- */

/* The application's own Host is the name that the server knows, so that cookies belong to it. */
static struct mote_slice own_host(const struct mote_transfer *t)
{
  const char *own = t->run->request.other_origin ? NULL : mote_http_own_line(t, "Host");
  struct mote_slice host = {NULL, 0};
  if(!own || *own != ':' || !own[1])
    return host;
  host = mote_slice_trim(mote_slice_of(own + 1));
  if(host.len && *host.ptr == '[') {
    host.ptr++;
    host.len = strcspn(host.ptr, "]");
  }
  else if(host.len > strcspn(host.ptr, ":"))
    host.len = strcspn(host.ptr, ":");
  return host;
}

/* Cookies for secure places may go to this machine without TLS, as browsers have it. */
static bool is_this_machine(struct mote_slice host)
{
  return mote_slice_is(host, "localhost") || mote_slice_is(host, "127.0.0.1") || mote_slice_is(host, "::1");
}

static void cookies_find_place(const struct mote_transfer *t, struct mote_cookie_place *place)
{
  struct mote_url url;
  mote_url_unpack(&t->run->request.url, &url);
  place->path = mote_url_get(&url, MOTE_URL_PATH);
  place->host = own_host(t);
  if(!place->host.len)
    place->host = mote_url_packed_ace(&t->run->request.url);
  place->address = mote_cookie_is_address(place->host);
  place->secure = t->run->request.scheme->tls != MOTE_SECURE_NEVER || is_this_machine(place->host);
}

/* Writes the field from the jar's cookies and the application's text. */
static void cookies_put_field(struct mote_http_writer *w, const struct mote_cookie *const *found,
                              unsigned count,
                              const char *text)
{
  size_t len = sizeof "Cookie: " - 1;
  unsigned i;
  for(i = 0; i < count; i++) {
    struct mote_slice pair = mote_cookie_pair(found[i]);
    size_t skipped = i ? 0 : 2;
    len += pair.len - skipped;
    if(len > HEADER_MAX)
      break;
    if(!i)
      mote_http_begin_field(w, "Cookie", "");
    mote_http_put(w, pair.ptr + skipped, pair.len - skipped);
  }
  if(i && text)
    mote_http_put(w, "; ", 2);
  else if(text)
    mote_http_begin_field(w, "Cookie", "");
  if(text)
    mote_http_put_text(w, text);
  if(i || text)
    mote_http_end_field(w);
}

/* The application's text is for the first origin, as its credentials are. Its own Cookie line stands beside
 * the jar's. */
static const char *text_for(const struct mote_transfer *t)
{
  const char *text = mote_transfer_may_log_in(t) ? mote_opt_str(&t->options, CURLOPT_COOKIE) : NULL;
  return text && !mote_http_has_own(t, "Cookie") ? text : NULL;
}

static void cookies_put_cookies(struct mote_http_writer *w)
{
  struct mote_transfer *t = w->t;
  struct mote_cookies *e = cookies_engine_of(t);
  const struct mote_cookie *found[MOTE_JAR_SENT_MAX];
  const char *text = text_for(t);
  struct mote_cookie_place place;
  struct mote_jar *jar;
  if(!e) {
    cookies_put_field(w, NULL, 0, text);
    return;
  }
  e->received = 0;
  e->used = true;
  jar = open_jar(t, e);
  if(e->files && !w->rc)
    w->rc = mote_cookie_files_read(t, e->files, jar);
  cookies_find_place(t, &place);
  cookies_put_field(w, found, mote_jar_match(jar, &place, mote_port_wall(), found), text);
  close_jar(t);
  if(e->files)
    cookies_report_directories(t);
}

/* ---- responses ---- */

static void cookies_report(struct mote_transfer *t, const struct mote_cookie_text *c, const char *why)
{
  if(why)
    mote_info(&t->report, "Cookie %.*s was not taken: %s", (int)c->name.len, c->name.ptr, why);
  else
    mote_info(&t->report,
              "%s cookie %.*s=\"%.*s\" for domain %.*s, path %.*s, expire %" CURL_FORMAT_CURL_OFF_T,
              c->expired ? "Removed" : "Added", (int)c->name.len, c->name.ptr, (int)c->value.len,
              c->value.ptr, (int)c->domain.len, c->domain.ptr, (int)c->path.len, c->path.ptr,
              (curl_off_t)c->expires);
}

static CURLcode read_set_cookie(struct mote_transfer *t, struct mote_slice value)
{
  struct mote_cookies *e = cookies_engine_of(t);
  struct mote_cookie_text c;
  struct mote_cookie_place place;
  const char *why;
  CURLcode rc = CURLE_OK;
  if(!e || e->received == SET_MAX)
    return CURLE_OK;
  e->received++;
  cookies_find_place(t, &place);
  why = mote_cookie_read_set(&c, value, mote_port_wall());
  if(!why)
    why = mote_jar_judge(&c, &place);
  if(!why) {
    rc = mote_jar_add(open_jar(t, e), &c, MOTE_JAR_SERVER, place.secure, &why);
    close_jar(t);
  }
  if(!rc)
    cookies_report(t, &c, why);
  return rc;
}

const struct mote_http_hook mote_http_cookies = {
  .name = "cookies",
  .options = MOTE_HTTP_WHEN(CURLOPT_COOKIE) | MOTE_HTTP_WHEN(MOTE_OPT_COOKIES),
  .place = MOTE_HTTP_AFTER_REFERER,
  .fields = MOTE_HTTP_READS(MOTE_FIELD_SET_COOKIE),
  .request = cookies_put_cookies,
  .field = read_set_cookie,
};

/* ---- the engine ---- */

static CURLcode cookies_switch_on(struct mote_transfer *t, struct mote_cookies **engine)
{
  struct mote_cookies *e = cookies_engine_of(t);
  if(!e) {
    e = mote_option_make_block(&t->options, MOTE_OPT_COOKIES, sizeof *e);
    if(!e)
      return CURLE_OUT_OF_MEMORY;
    mote_jar_init(&e->own, &t->account);
    e->of_share = shared_jar(t) != NULL;
  }
  *engine = e;
  return CURLE_OK;
}

static void cookies_switch_off(struct mote_transfer *t)
{
  struct mote_cookies *e = cookies_engine_of(t);
  if(!e)
    return;
  mote_jar_clear(&e->own);
  mote_text_files_drop(t, &e->files);
  mote_option_free_block(&t->options, MOTE_OPT_COOKIES, sizeof *e);
}

/* Files that no request has read yet belong to what the jar is to keep. */
static CURLcode cookies_flush(struct mote_transfer *t, struct mote_cookies *e)
{
  const char *path = mote_opt_str(&t->options, CURLOPT_COOKIEJAR);
  struct mote_jar *jar;
  int error = 0;
  CURLcode rc;
  if(!path || !e->used)
    return CURLE_OK;
  t->report.verbose = mote_opt_long(&t->options, CURLOPT_VERBOSE) != 0;
  jar = open_jar(t, e);
  rc = mote_cookie_files_read(t, e->files, jar);
  if(!rc)
    error = mote_cookie_files_write(t, path, jar);
  close_jar(t);
  mote_cookie_files_report(t, path, error);
  cookies_report_directories(t);
  return rc;
}

static CURLcode cookies_reload(struct mote_transfer *t, struct mote_cookies *e)
{
  CURLcode rc;
  mote_text_files_forget(e->files);
  e->used = true;
  rc = mote_cookie_files_read(t, e->files, open_jar(t, e));
  close_jar(t);
  cookies_report_directories(t);
  return rc;
}

static CURLcode cookies_erase(struct mote_transfer *t, struct mote_cookies *e, bool all)
{
  struct mote_jar *jar = open_jar(t, e);
  if(all)
    mote_jar_clear(jar);
  else
    mote_jar_clear_session(jar);
  mote_text_files_forget(e->files);
  close_jar(t);
  return CURLE_OK;
}

static CURLcode add_line(struct mote_transfer *t, const char *text)
{
  struct mote_cookies *e;
  struct mote_cookie_text c;
  CURLcode rc = cookies_switch_on(t, &e);
  const char *why = rc ? NULL : mote_cookie_read(&c, mote_slice_of(text), mote_port_wall());
  if(rc)
    return rc;
  e->used = true;
  if(!why)
    why = mote_jar_judge_line(&c);
  if(why)
    return CURLE_OK;
  rc = mote_jar_add(open_jar(t, e), &c, MOTE_JAR_APPLICATION, true, &why);
  close_jar(t);
  return rc;
}

#define LONGEST_ORDER 6 /* characters of "RELOAD" */

static CURLcode cookies_obey(struct mote_transfer *t, const char *text)
{
  struct mote_cookies *e = cookies_engine_of(t);
  bool all = mote_equal_nocase(text, "ALL"), session = mote_equal_nocase(text, "SESS");
  bool writes = mote_equal_nocase(text, "FLUSH"), reads = mote_equal_nocase(text, "RELOAD");
  if(!all && !session && !writes && !reads)
    return add_line(t, text);
  if(!e)
    return CURLE_OK;
  if(writes)
    return cookies_flush(t, e);
  return reads ? cookies_reload(t, e) : cookies_erase(t, e, all);
}

/* A line is longer than any order. */
static CURLcode set_list(struct mote_transfer *t, const char *text)
{
  return memchr(text, 0, LONGEST_ORDER + 1) ? cookies_obey(t, text) : add_line(t, text);
}

/* A build without files leaves the name out. */
static CURLcode add_file(struct mote_transfer *t, struct mote_cookies *e, const char *path)
{
  return mote_text_files_add(t, &e->files, path) || !MOTE_HAS_TEXT_FILES ? CURLE_OK : CURLE_OUT_OF_MEMORY;
}

static CURLcode cookies_set_file(struct mote_transfer *t, const char *path)
{
  struct mote_cookies *e;
  CURLcode rc;
  if(!path) {
    cookies_switch_off(t);
    return CURLE_OK;
  }
  rc = cookies_switch_on(t, &e);
  return rc || !*path ? rc : add_file(t, e, path);
}

CURLcode mote_cookies_set(struct mote_transfer *t, uint16_t id, const char *text)
{
  struct mote_cookies *e;
  CURLcode rc = CURLE_OK;
  switch(id) {
  case MOTE_OPT_ID(CURLOPT_COOKIEFILE):
    return cookies_set_file(t, text);
  case MOTE_OPT_ID(CURLOPT_COOKIELIST):
    return text ? set_list(t, text) : CURLE_OK;
  default:
    if(text)
      rc = cookies_switch_on(t, &e);
    if(!text)
      mote_option_unset(&t->options, MOTE_OPT_ID(CURLOPT_COOKIEJAR));
    else if(!rc)
      rc = mote_option_set_str(&t->options, MOTE_OPT_ID(CURLOPT_COOKIEJAR), text, strlen(text));
    return rc;
  }
}

static struct curl_slist *list_node(const struct mote_cookie *c)
{
  struct curl_slist *node = mote_slist_node(mote_cookie_line_room(c));
  if(node)
    (void)mote_cookie_print(c, node->data);
  return node;
}

static CURLcode list_all(const struct mote_jar_list *all, struct curl_slist **list)
{
  struct curl_slist **end = list;
  unsigned i;
  for(i = 0; i < all->count; i++) {
    if(!all->list[i]->domain_len)
      continue;
    *end = list_node(all->list[i]);
    if(!*end) {
      mote_slist_free(*list);
      *list = NULL;
      return CURLE_OUT_OF_MEMORY;
    }
    end = &(*end)->next;
  }
  return CURLE_OK;
}

/* A share's cookies are those of every handle that uses it. */
CURLcode mote_cookies_list(struct mote_transfer *t, struct curl_slist **list)
{
  struct mote_cookies *e = cookies_engine_of(t);
  struct mote_jar_list all;
  struct mote_jar *jar;
  CURLcode rc;
  *list = NULL;
  if(!e && !shared_jar(t))
    return CURLE_OK;
  jar = open_jar(t, e);
  rc = mote_jar_list(jar, mote_port_wall(), &all);
  if(!rc)
    rc = list_all(&all, list);
  mote_jar_free_list(jar, &all);
  close_jar(t);
  return rc;
}

CURLcode mote_cookies_dup(struct mote_transfer *t, const struct mote_transfer *from)
{
  const struct mote_cookies *old = cookies_engine_of(from);
  const struct mote_text_file *f;
  struct mote_cookies *e;
  CURLcode rc;
  if(!old)
    return CURLE_OK;
  rc = cookies_switch_on(t, &e);
  for(f = rc ? NULL : old->files; f && !rc; f = f->next)
    rc = add_file(t, e, f->path);
  return rc;
}

void mote_cookies_reshare(struct mote_transfer *t)
{
  struct mote_cookies *e = cookies_engine_of(t);
  bool of_share = shared_jar(t) != NULL;
  if(!e || (!of_share && !e->of_share))
    return;
  mote_text_files_forget(e->files);
  if(of_share)
    mote_jar_clear(&e->own);
  else
    e->used = false; /* the cookies are still the share's */
  e->of_share = of_share;
}

void mote_cookies_close(struct mote_transfer *t)
{
  struct mote_cookies *e = cookies_engine_of(t);
  if(e)
    (void)cookies_flush(t, e);
  cookies_switch_off(t);
}

struct mote_cookies *mote_cookies_settle(struct mote_transfer *t)
{
  struct mote_cookies *e = cookies_engine_of(t);
  if(e && !e->used && !mote_opt_is_set(&t->options, CURLOPT_COOKIEJAR)) {
    cookies_switch_off(t);
    return NULL;
  }
  if(e)
    mote_text_files_drop(t, &e->files);
  return e;
}
