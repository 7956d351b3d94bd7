/* Unit tests of codec/http/http1.h (responses) and codec/coding/coding.h: framing from
 * data/http1_response.txt. Needs texts. */
#include "codec/coding/coding.h"
#include "codec/http/http1.h"

#include "table.h"

static void log_codings(struct table_log *l, const char *label, const uint8_t *list, unsigned count)
{
  static const char *const names[] = { "?", "identity", "deflate", "gzip", "br", "zstd", "chunked" };
  unsigned i;
  if(!count)
    return;
  table_log(l, label);
  for(i = 0; i < count; i++) {
    table_log(l, i ? "," : "");
    table_log(l, names[list[i]]);
  }
}

static void log_framing(struct table_log *l, const struct mote_http1_response *r, unsigned request)
{
  static const char *const kinds[] = { "NONE", "LENGTH", "CHUNKED", "UNTIL_CLOSE" };
  struct mote_http1_framing f;
  CURLcode rc = mote_http1_framing(r, request, &f);
  char text[100];
  if(rc) {
    snprintf(text, sizeof text, "error %d\n", (int)rc);
    table_log(l, text);
    return;
  }
  snprintf(text, sizeof text, "%u %s", r->code, kinds[f.body]);
  table_log(l, text);
  if(f.body == MOTE_HTTP1_BODY_LENGTH) {
    snprintf(text, sizeof text, " %llu", (unsigned long long)f.length);
    table_log(l, text);
  }
  table_log(l, f.reusable ? " reuse" : " close");
  table_log(l, f.interim ? " interim" : "");
  log_codings(l, " transfer=", r->transfer, f.codings);
  log_codings(l, " content=", r->content, r->content_count);
  table_log(l, r->flags & MOTE_HTTP1_CONTENT_OVER ? " over" : "");
  table_log(l, r->flags & MOTE_HTTP1_UPGRADE ? " upgrade" : "");
  table_log(l, "\n");
}

static unsigned request_of(const char *text)
{
  unsigned request = 0;
  if(!text)
    return 0;
  if(strstr(text, "HEAD"))
    request |= MOTE_HTTP1_FOR_HEAD;
  if(strstr(text, "CONNECT"))
    request |= MOTE_HTTP1_FOR_CONNECT;
  if(strstr(text, "IGNORE_LENGTH"))
    request |= MOTE_HTTP1_IGNORE_LENGTH;
  return request;
}

static void run_case(const struct table_case *c, char *bytes, size_t len, unsigned cut,
                     struct table_log *l)
{
  struct mote_http1_head h;
  struct mote_http1_response r;
  struct mote_http1_event ev;
  unsigned request = request_of(table_get(c, "request", 0));
  (void)cut;
  memset(&r, 0, sizeof r);
  mote_http1_head_init(&h, NULL);
  do {
    CURLcode rc = mote_http1_feed(&h, bytes, len, &ev);
    if(!rc && ev.kind == MOTE_HTTP1_HEADER)
      rc = mote_http1_response_field(&r, &ev);
    if(rc) {
      char text[200];
      snprintf(text, sizeof text, "error %d %s\n", (int)rc, mote_http1_why_text(ev.why));
      table_log(l, text);
      return;
    }
    if(ev.kind == MOTE_HTTP1_STATUS)
      mote_http1_response_begin(&r, &ev);
    else if(ev.kind == MOTE_HTTP1_END) {
      log_framing(l, &r, request);
      mote_http1_head_next(&h);
    }
    bytes += ev.used;
    len -= ev.used;
  } while(ev.kind != MOTE_HTTP1_NEED_MORE);
}

TEST(framing)
{
  CHECK(table_run("http1_response.txt", TABLE_WHOLE, run_case) > 80);
}

TEST(coding_names)
{
  CHECK_INT(mote_coding_of(mote_slice_of("gzip")), MOTE_CODING_GZIP);
  CHECK_INT(mote_coding_of(mote_slice_of("X-GZip")), MOTE_CODING_GZIP);
  CHECK_INT(mote_coding_of(mote_slice_of("deflate")), MOTE_CODING_DEFLATE);
  CHECK_INT(mote_coding_of(mote_slice_of("br")), MOTE_CODING_BR);
  CHECK_INT(mote_coding_of(mote_slice_of("zstd")), MOTE_CODING_ZSTD);
  CHECK_INT(mote_coding_of(mote_slice_of("Chunked")), MOTE_CODING_CHUNKED);
  CHECK_INT(mote_coding_of(mote_slice_of("identity")), MOTE_CODING_IDENTITY);
  CHECK_INT(mote_coding_of(mote_slice_of("none")), MOTE_CODING_IDENTITY);
  CHECK_INT(mote_coding_of(mote_slice_of("gzipp")), MOTE_CODING_UNKNOWN);
  CHECK_INT(mote_coding_of(mote_slice_of("gzi")), MOTE_CODING_UNKNOWN);
  CHECK_INT(mote_coding_of(mote_slice_of("")), MOTE_CODING_UNKNOWN);
  CHECK_INT(mote_coding_of(mote_slice_of("gzip;q=1")), MOTE_CODING_UNKNOWN);
  CHECK_INT(mote_coding_of(mote_slice_of("compress")), MOTE_CODING_UNKNOWN);
}

int main(void)
{
  TEST_RUN(framing);
  TEST_RUN(coding_names);
  return test_end();
}
