/* Unit tests of codec/http/http1.h: heads from data/http1.txt, ceilings, and what the table cannot say.
 * Needs texts. */
#include "codec/http/http1.h"

#include <ctype.h>

#include "table.h"

static void log_slice(struct table_log *l, struct mote_slice s)
{
  table_log(l, " ");
  table_escape(l, s.ptr, s.len);
}

static void log_event(struct table_log *l, const struct mote_http1_event *ev)
{
  char text[40];
  switch(ev->kind) {
  case MOTE_HTTP1_STATUS:
    snprintf(text, sizeof text, "STATUS %u.%u %u", ev->major, ev->minor, ev->code);
    table_log(l, text);
    log_slice(l, ev->value);
    log_slice(l, ev->whole);
    break;
  case MOTE_HTTP1_HEADER:
    table_log(l, "HEADER");
    log_slice(l, ev->name);
    log_slice(l, ev->value);
    log_slice(l, ev->whole);
    break;
  case MOTE_HTTP1_END:
    table_log(l, "END");
    log_slice(l, ev->whole);
    break;
  default:
    table_log(l, "NOT_HTTP");
    break;
  }
  table_log(l, "\n");
}

/* The bytes in a block of their own size, so that a sanitizer sees any read beyond them. */
struct window {
  char *block;
  size_t len;
};

static void window_open(struct window *w, const char *bytes, size_t len)
{
  w->block = len ? malloc(len) : NULL;
  w->len = len;
  if(w->block)
    memcpy(w->block, bytes, len);
}

static bool plain_first; /* feed() acts as a caller that has many lines in a row */

static CURLcode feed(struct mote_http1_head *h, struct window *w, struct mote_http1_event *ev)
{
  return plain_first && mote_http1_feed_plain(h, w->block, w->len, ev) ? CURLE_OK
    : mote_http1_feed(h, w->block, w->len, ev);
}

/* A caller that moves the bytes at every call. Stops at an error, NOT_HTTP, or END of a final response. */
static void drive(struct mote_http1_head *h, const char *bytes, size_t len, unsigned cut, struct table_log *l)
{
  size_t from = 0;
  size_t to = 0;
  unsigned code = 0;
  for(;;) {
    struct mote_http1_event ev;
    struct window w;
    CURLcode rc;
    bool stop;
    window_open(&w, bytes + from, to - from);
    rc = feed(h, &w, &ev);
    CHECK(ev.used <= w.len);
    if(w.len > ev.used)
      CHECK(!memcmp(w.block + ev.used, bytes + from + ev.used, w.len - ev.used));
    stop = rc != CURLE_OK;
    if(rc) {
      char text[200];
      snprintf(text, sizeof text, "error %d %s\n", (int)rc, mote_http1_why_text(ev.why));
      table_log(l, text);
    }
    else if(ev.kind == MOTE_HTTP1_NEED_MORE) {
      CHECK_INT(ev.used, 0);
      stop = to == len;
      if(!stop)
        to += table_step(cut, len - to);
      else {
        enum mote_http1_why why;
        char text[40];
        snprintf(text, sizeof text, "closed %d\n", (int)mote_http1_closed(h, &why));
        table_log(l, text);
      }
    }
    else {
      log_event(l, &ev);
      if(ev.kind == MOTE_HTTP1_STATUS)
        code = ev.code;
      stop = ev.kind == MOTE_HTTP1_NOT_HTTP || (ev.kind == MOTE_HTTP1_END && code >= 200);
      if(ev.kind == MOTE_HTTP1_END && code < 200)
        mote_http1_head_next(h);
      from += ev.used;
    }
    free(w.block);
    if(stop)
      return;
  }
}

static void run_case(const struct table_case *c, char *bytes, size_t len, unsigned cut,
                     struct table_log *l)
{
  struct mote_http1_head h;
  struct curl_slist second = { NULL, NULL };
  struct curl_slist first = { NULL, &second };
  const char *alias = table_get(c, "alias", 0);
  char word[100];
  char other[] = "never";
  if(alias)
    snprintf(word, sizeof word, "%s", alias);
  first.data = other;
  second.data = word;
  mote_http1_head_init(&h, alias ? &first : NULL);
  drive(&h, bytes, len, cut, l);
}

static void run_table(unsigned cut)
{
  plain_first = false;
  CHECK(table_run("http1.txt", cut, run_case) > 50);
  plain_first = true;
  CHECK(table_run("http1.txt", cut, run_case) > 50);
}

TABLE_TESTS(run_table)

static const char status[] = "HTTP/1.1 200 OK\r\n";

/* A head with one line of `line` bytes, cut by `cut`; the codes of the last call. */
static CURLcode long_line(size_t line, unsigned cut, uint8_t *why)
{
  size_t len = sizeof status - 1 + line + 2;
  char *bytes = malloc(len);
  struct mote_http1_head h;
  struct mote_http1_event ev = { 0 };
  size_t from = 0;
  size_t to = 0;
  CURLcode rc = CURLE_OK;
  memcpy(bytes, status, sizeof status - 1);
  memset(bytes + sizeof status - 1, 'x', line);
  bytes[sizeof status] = ':';
  memcpy(bytes + len - 4, "\r\n\r\n", 4);
  mote_http1_head_init(&h, NULL);
  while(!rc && ev.kind != MOTE_HTTP1_END) {
    rc = mote_http1_feed(&h, bytes + from, to - from, &ev);
    from += ev.used;
    if(!rc && ev.kind == MOTE_HTTP1_NEED_MORE)
      to += table_step(cut, len - to);
    if(!rc && ev.kind == MOTE_HTTP1_HEADER)
      CHECK_INT(ev.whole.len, line);
  }
  *why = ev.why;
  free(bytes);
  return rc;
}

TEST(line_ceiling)
{
  unsigned cut;
  for(cut = 0; cut < 4; cut++) {
    uint8_t why;
    CHECK_INT(long_line(MOTE_HTTP1_MAX_LINE, cut, &why), CURLE_OK);
    CHECK_INT(long_line(MOTE_HTTP1_MAX_LINE + 1, cut, &why), CURLE_TOO_LARGE);
    CHECK_INT(why, MOTE_HTTP1_WHY_LINE_TOO_LONG);
    CHECK_INT(long_line(MOTE_HTTP1_MAX_LINE * 2, cut, &why), CURLE_TOO_LARGE);
  }
}

/* Heads that never end: total bytes that were taken before the error. */
static size_t endless(const char *line, unsigned every)
{
  struct mote_http1_head h;
  struct mote_http1_event ev = { 0 };
  size_t taken = 0;
  size_t n = strlen(line);
  char bytes[200];
  CURLcode rc = CURLE_OK;
  mote_http1_head_init(&h, NULL);
  if(!every) {
    memcpy(bytes, status, sizeof status - 1);
    rc = mote_http1_feed(&h, bytes, sizeof status - 1, &ev);
    taken = ev.used;
  }
  memcpy(bytes, line, n);
  while(!rc) {
    size_t from = 0;
    bytes[n] = 'A';
    do {
      rc = mote_http1_feed(&h, bytes + from, n + !every - from, &ev);
      from += rc ? 0 : ev.used;
      taken += rc ? 0 : ev.used;
      if(!rc && ev.kind == MOTE_HTTP1_END)
        mote_http1_head_next(&h);
    } while(!rc && ev.kind && from < n);
  }
  CHECK_INT(rc, CURLE_RECV_ERROR);
  CHECK_INT(ev.why, MOTE_HTTP1_WHY_HEAD_TOO_LONG);
  return taken;
}

TEST(head_ceiling)
{
  size_t taken = endless("A: bcdefghijk\r\n", 0);
  CHECK(taken <= MOTE_HTTP1_MAX_HEAD && taken + 15 > MOTE_HTTP1_MAX_HEAD);
  taken = endless("HTTP/1.1 103 Early\r\n\r\n", 1);
  CHECK(taken <= MOTE_HTTP1_MAX_HEAD && taken + 20 > MOTE_HTTP1_MAX_HEAD);
}

/* Waiting for the end of a line must not search its beginning again. */
TEST(scans_once)
{
  char bytes[400];
  struct mote_http1_head h;
  struct mote_http1_event ev;
  size_t n;
  memset(bytes, 'x', sizeof bytes);
  memcpy(bytes, "A:", 2);
  mote_http1_head_init(&h, NULL);
  memcpy(bytes, status, sizeof status - 1);
  CHECK_INT(mote_http1_feed(&h, bytes, sizeof status - 1, &ev), CURLE_OK);
  CHECK_INT(ev.kind, MOTE_HTTP1_STATUS);
  memset(bytes, 'x', sizeof bytes);
  for(n = 1; n <= sizeof bytes; n++) {
    CHECK_INT(mote_http1_feed(&h, bytes, n, &ev), CURLE_OK);
    CHECK_INT(ev.kind, MOTE_HTTP1_NEED_MORE);
    CHECK_INT(h.fields.scanned, n);
  }
}

TEST(closed)
{
  struct mote_http1_head h;
  struct mote_http1_event ev;
  enum mote_http1_why why;
  char bytes[] = "HTTP/1.1 100 C\r\n\r\n";
  mote_http1_head_init(&h, NULL);
  CHECK_INT(mote_http1_feed(&h, NULL, 0, &ev), CURLE_OK);
  CHECK_INT(ev.kind, MOTE_HTTP1_NEED_MORE);
  CHECK_INT(mote_http1_closed(&h, &why), CURLE_GOT_NOTHING);
  CHECK_INT(mote_http1_feed(&h, bytes, 3, &ev), CURLE_OK);
  CHECK_INT(mote_http1_closed(&h, &why), CURLE_GOT_NOTHING);
  CHECK_INT(mote_http1_feed(&h, bytes, 18, &ev), CURLE_OK);
  CHECK_INT(mote_http1_closed(&h, &why), CURLE_RECV_ERROR);
  CHECK_INT(why, MOTE_HTTP1_WHY_CLOSED_IN_HEAD);
  CHECK_INT(mote_http1_feed(&h, bytes + 16, 2, &ev), CURLE_OK);
  CHECK_INT(ev.kind, MOTE_HTTP1_END);
  CHECK_INT(mote_http1_feed(&h, bytes, 18, &ev), CURLE_OK); /* after END, before next: nothing */
  CHECK_INT(ev.kind, MOTE_HTTP1_NEED_MORE);
  CHECK_INT(mote_http1_closed(&h, &why), CURLE_GOT_NOTHING); /* the head is whole */
  mote_http1_head_next(&h);
  CHECK_INT(mote_http1_closed(&h, &why), CURLE_GOT_NOTHING);
}

/* The field is the same in every case of letters; a spelling is exactly what was written. */
static void check_name(const char *name, enum mote_http1_field field)
{
  char lower[40], upper[40];
  const char *forms[3] = {name, lower, upper};
  size_t i, n = strlen(name);
  for(i = 0; i <= n; i++) {
    lower[i] = (char)tolower((unsigned char)name[i]);
    upper[i] = (char)toupper((unsigned char)name[i]);
  }
  for(i = 0; i < 3; i++) {
    struct mote_http1_name known = mote_http1_name_of(mote_slice_of(forms[i]));
    CHECK_INT(known.field, field);
    CHECK(!known.spelling || !strcmp(mote_http1_spelled(known.spelling), forms[i]));
    CHECK((known.spelling != 0) == (field != MOTE_FIELD_OTHER && (i < 2 && strcmp(forms[i], upper))));
  }
}

TEST(field_names)
{
  static const struct {
    const char *name;
    enum mote_http1_field field;
  } all[] = {
    { "Date", MOTE_FIELD_DATE }, { "ETag", MOTE_FIELD_ETAG }, { "Alt-Svc", MOTE_FIELD_ALT_SVC },
    { "Refresh", MOTE_FIELD_REFRESH }, { "Trailer", MOTE_FIELD_TRAILER }, { "Upgrade", MOTE_FIELD_UPGRADE },
    { "LOCATION", MOTE_FIELD_LOCATION }, { "connection", MOTE_FIELD_CONNECTION },
    { "Keep-Alive", MOTE_FIELD_KEEP_ALIVE }, { "Set-Cookie", MOTE_FIELD_SET_COOKIE },
    { "Retry-After", MOTE_FIELD_RETRY_AFTER }, { "Content-Type", MOTE_FIELD_CONTENT_TYPE },
    { "Accept-Ranges", MOTE_FIELD_ACCEPT_RANGES }, { "Content-Range", MOTE_FIELD_CONTENT_RANGE },
    { "Last-Modified", MOTE_FIELD_LAST_MODIFIED }, { "Content-Length", MOTE_FIELD_CONTENT_LENGTH },
    { "Persistent-Auth", MOTE_FIELD_PERSISTENT_AUTH }, { "Content-Encoding", MOTE_FIELD_CONTENT_ENCODING },
    { "Proxy-Connection", MOTE_FIELD_PROXY_CONNECTION }, { "WWW-Authenticate", MOTE_FIELD_WWW_AUTHENTICATE },
    { "Transfer-Encoding", MOTE_FIELD_TRANSFER_ENCODING },
    { "Proxy-Authenticate", MOTE_FIELD_PROXY_AUTHENTICATE },
    { "Content-Disposition", MOTE_FIELD_CONTENT_DISPOSITION },
    { "Strict-Transport-Security", MOTE_FIELD_STRICT_TRANSPORT_SECURITY },
    { "", MOTE_FIELD_OTHER }, { "X", MOTE_FIELD_OTHER }, { "Dat", MOTE_FIELD_OTHER },
    { "Dates", MOTE_FIELD_OTHER }, { "Content_Length", MOTE_FIELD_OTHER },
    { "Connectio\xce", MOTE_FIELD_OTHER }, { "Content-Lengti", MOTE_FIELD_OTHER },
    { "Dontent-Length", MOTE_FIELD_OTHER }, { "Content,Length", MOTE_FIELD_OTHER },
    { "Strict-Transport-Securitys", MOTE_FIELD_OTHER }, { "Server", MOTE_FIELD_SERVER },
    { "Vary", MOTE_FIELD_VARY }, { "Expires", MOTE_FIELD_EXPIRES }, { "X-Cache", MOTE_FIELD_X_CACHE },
    { "Cache-Control", MOTE_FIELD_CACHE_CONTROL }, { "x-cache-lookup", MOTE_FIELD_X_CACHE_LOOKUP },
    { "Server2", MOTE_FIELD_OTHER }, { "Servex", MOTE_FIELD_OTHER }
  };
  size_t i;
  for(i = 0; i < sizeof all / sizeof all[0]; i++)
    check_name(all[i].name, all[i].field);
}

TEST(lower_case_names)
{
  struct mote_http1_name name = mote_http1_name_lower(mote_slice_of("content-length"));
  CHECK_INT(name.field, MOTE_FIELD_CONTENT_LENGTH);
  CHECK_STR(mote_http1_spelled(name.spelling), "content-length");
  name = mote_http1_name_lower(mote_slice_of("Content-Length"));
  CHECK_INT(name.field, MOTE_FIELD_OTHER);
  CHECK_INT(name.spelling, 0);
}

TEST(fields_that_frame)
{
  CHECK(mote_http1_is_framing(MOTE_FIELD_CONTENT_LENGTH) && mote_http1_is_framing(MOTE_FIELD_CONNECTION));
  CHECK(mote_http1_is_framing(MOTE_FIELD_TRANSFER_ENCODING));
  CHECK(mote_http1_is_framing(MOTE_FIELD_CONTENT_ENCODING));
  CHECK(!mote_http1_is_framing(MOTE_FIELD_OTHER) && !mote_http1_is_framing(MOTE_FIELD_CONTENT_TYPE));
}

TEST(interim_codes)
{
  CHECK(mote_http1_is_interim(100) && mote_http1_is_interim(103) && mote_http1_is_interim(199));
  CHECK(!mote_http1_is_interim(99) && !mote_http1_is_interim(101) && !mote_http1_is_interim(200));
}

/* Trailers, which have no status line ahead of them. */
TEST(fields_without_a_head)
{
  struct mote_http1_fields f;
  struct mote_http1_event ev;
  char bytes[] = "A: b\r\nC:\r\n d\r\n\r\n";
  mote_http1_fields_init(&f, 1000);
  CHECK_INT(mote_http1_fields_feed(&f, NULL, 0, &ev), CURLE_OK);
  CHECK_INT(ev.kind, MOTE_HTTP1_NEED_MORE);
  CHECK_INT(mote_http1_fields_feed(&f, bytes, 16, &ev), CURLE_OK);
  CHECK_INT(ev.kind, MOTE_HTTP1_HEADER);
  CHECK_INT(ev.used, 6);
  CHECK_INT(mote_http1_fields_feed(&f, bytes + 6, 10, &ev), CURLE_OK);
  CHECK_MEM(ev.value.ptr, ev.value.len, "d", 1u);
  CHECK_INT(ev.used, 8);
  CHECK_INT(mote_http1_fields_feed(&f, bytes + 14, 2, &ev), CURLE_OK);
  CHECK_INT(ev.kind, MOTE_HTTP1_END);
}

TEST(plain_lines_alone)
{
  struct mote_http1_head h;
  struct mote_http1_event ev;
  char bytes[] = "HTTP/1.1 200 OK\r\nA: b\r\nC: d\r\n e\r\n\r\n";
  mote_http1_head_init(&h, NULL);
  CHECK(!mote_http1_feed_plain(&h, bytes, sizeof bytes - 1, &ev));
  CHECK_INT(mote_http1_feed(&h, bytes, sizeof bytes - 1, &ev), CURLE_OK);
  CHECK_INT(ev.used, 17);
  CHECK(mote_http1_feed_plain(&h, bytes + 17, sizeof bytes - 18, &ev));
  CHECK_INT(ev.used, 6);
  CHECK_MEM(ev.value.ptr, ev.value.len, "b", 1u);
  CHECK(!mote_http1_feed_plain(&h, bytes + 23, sizeof bytes - 24, &ev)); /* folded */
}

TEST(aliases_without_text)
{
  char word[] = "ICY ", nothing[] = "";
  struct curl_slist third = { word, NULL }, second = { nothing, &third }, list = { NULL, &second };
  struct mote_http1_head h;
  struct mote_http1_event ev;
  char bytes[] = "ICY 200 OK\r\n\r\n";
  mote_http1_head_init(&h, &list);
  CHECK_INT(mote_http1_feed(&h, bytes, sizeof bytes - 1, &ev), CURLE_OK);
  CHECK_INT(ev.kind, MOTE_HTTP1_STATUS);
  CHECK_INT(ev.minor, 0);
  CHECK_MEM(ev.value.ptr, ev.value.len, "200 OK", 6u);
}

/* The byte that is one too many may be the line end itself. */
TEST(status_line_ceiling)
{
  size_t len = MOTE_HTTP1_MAX_LINE + 1, over;
  char *bytes = malloc(len + 2);
  for(over = 0; over < 2; over++) {
    struct mote_http1_head h;
    struct mote_http1_event ev;
    memset(bytes, 'x', len);
    memcpy(bytes, "HTTP/1.1 200 ", 13);
    memcpy(bytes + MOTE_HTTP1_MAX_LINE - 2 + over, "\r\n", 2);
    mote_http1_head_init(&h, NULL);
    CHECK_INT(mote_http1_feed(&h, bytes, len, &ev), over ? CURLE_TOO_LARGE : CURLE_OK);
    CHECK_INT(ev.why, over ? MOTE_HTTP1_WHY_LINE_TOO_LONG : MOTE_HTTP1_WHY_NONE);
  }
  free(bytes);
}

TEST(why_texts)
{
  int i;
  for(i = 0; i <= MOTE_HTTP1_WHY_LAST; i++)
    CHECK(mote_http1_why_text((enum mote_http1_why)i)[0] != 0);
}

TEST(sizes)
{
  CHECK(sizeof(struct mote_http1_head) <= 48);
  CHECK(sizeof(struct mote_http1_response) <= 40);
}

int main(void)
{
  TEST_RUN(table_whole);
  TEST_RUN(table_byte_by_byte);
  TEST_RUN(table_cut_at_random);
  TEST_RUN(line_ceiling);
  TEST_RUN(head_ceiling);
  TEST_RUN(scans_once);
  TEST_RUN(closed);
  TEST_RUN(field_names);
  TEST_RUN(lower_case_names);
  TEST_RUN(fields_that_frame);
  TEST_RUN(interim_codes);
  TEST_RUN(fields_without_a_head);
  TEST_RUN(plain_lines_alone);
  TEST_RUN(aliases_without_text);
  TEST_RUN(status_line_ceiling);
  TEST_RUN(why_texts);
  TEST_RUN(sizes);
  return test_end();
}
