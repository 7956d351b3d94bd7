/* Unit tests of codec/http/chunked.h: bodies from data/chunked.txt, ceilings, giving data back.
 * Needs texts. */
#include "codec/http/chunked.h"

#include "table.h"

/* Data that comes in pieces is logged as one. */
struct body {
  char bytes[65536];
  size_t len;
};

static void log_body(struct body *b, struct table_log *l)
{
  if(!b->len)
    return;
  table_log(l, "DATA ");
  table_escape(l, b->bytes, b->len);
  table_log(l, "\n");
  b->len = 0;
}

static void log_line(struct table_log *l, const struct mote_http1_event *ev)
{
  table_log(l, "TRAILER ");
  table_escape(l, ev->name.ptr, ev->name.len);
  table_log(l, " ");
  table_escape(l, ev->value.ptr, ev->value.len);
  table_log(l, " ");
  table_escape(l, ev->whole.ptr, ev->whole.len);
  table_log(l, "\n");
}

/* Takes the event; returns the bytes that are used up. With `back` some of the data is given back. */
static size_t take_event(struct mote_chunked *c, const struct mote_chunked_event *ev, struct body *b,
                         struct table_log *l, bool back)
{
  size_t unread = 0;
  if(ev->kind == MOTE_CHUNKED_DATA) {
    CHECK(ev->data.len > 0);
    if(back)
      unread = test_random() % (ev->data.len + 1);
    mote_chunked_unread(c, unread);
    memcpy(b->bytes + b->len, ev->data.ptr, ev->data.len - unread);
    b->len += ev->data.len - unread;
  }
  else if(ev->kind != MOTE_CHUNKED_NEED_MORE)
    log_body(b, l);
  if(ev->kind == MOTE_CHUNKED_TRAILER)
    log_line(l, &ev->line);
  return ev->used - unread;
}

static void drive(const char *bytes, size_t len, unsigned cut, struct table_log *l)
{
  static struct body body;
  struct mote_chunked c;
  size_t from = 0;
  size_t to = 0;
  char text[200];
  mote_chunked_init(&c);
  body.len = 0;
  for(;;) {
    struct mote_chunked_event ev;
    size_t n = to - from;
    char *block = n ? malloc(n) : NULL;
    CURLcode rc;
    if(block)
      memcpy(block, bytes + from, n);
    rc = mote_chunked_feed(&c, block, n, &ev);
    CHECK(ev.used <= n);
    if(!rc)
      from += take_event(&c, &ev, &body, l, cut > TABLE_RANDOM && cut % 2);
    free(block);
    if(rc) {
      log_body(&body, l);
      snprintf(text, sizeof text, "error %d %s\n", (int)rc, mote_http1_why_text(ev.why));
      break;
    }
    if(ev.kind == MOTE_CHUNKED_DONE) {
      snprintf(text, sizeof text, "DONE%s rest %zu\n", c.bare_lf ? " bare LF" : "", len - from);
      CHECK_INT(mote_chunked_closed(&c), CURLE_OK);
      break;
    }
    if(ev.kind == MOTE_CHUNKED_NEED_MORE && to == len) {
      log_body(&body, l);
      snprintf(text, sizeof text, "closed %d\n", (int)mote_chunked_closed(&c));
      break;
    }
    if(ev.kind == MOTE_CHUNKED_NEED_MORE)
      to += table_step(cut, len - to);
  }
  table_log(l, text);
}

static void run_case(const struct table_case *c, char *bytes, size_t len, unsigned cut,
                     struct table_log *l)
{
  (void)c;
  drive(bytes, len, cut, l);
}

static void run_table(unsigned cut)
{
  CHECK(table_run("chunked.txt", cut, run_case) > 50);
}

TABLE_TESTS(run_table)

/* Feeds `line` again and again until an error; how many bytes were taken. */
static size_t endless(const char *begin, const char *line, enum mote_http1_why why)
{
  struct mote_chunked c;
  struct mote_chunked_event ev;
  char bytes[200];
  size_t taken = 0;
  size_t n;
  CURLcode rc;
  mote_chunked_init(&c);
  n = (size_t)snprintf(bytes, sizeof bytes, "%s", begin);
  do {
    size_t at = 0;
    do {
      rc = mote_chunked_feed(&c, bytes + at, n - at, &ev);
      at += rc ? 0 : ev.used;
      taken += rc ? 0 : ev.used;
    } while(!rc && ev.kind != MOTE_CHUNKED_NEED_MORE);
    memmove(bytes, bytes + at, n - at);
    n -= at;
    n += (size_t)snprintf(bytes + n, sizeof bytes - n, "%s", line);
  } while(!rc && taken < 1000000);
  CHECK_INT(rc, CURLE_RECV_ERROR);
  CHECK_INT(ev.why, why);
  return taken;
}

TEST(ceilings)
{
  size_t taken = endless("5;", "extension ", MOTE_HTTP1_WHY_CHUNK_EXTENSION);
  CHECK(taken >= MOTE_CHUNKED_MAX_EXTENSIONS - 10 && taken <= MOTE_CHUNKED_MAX_EXTENSIONS + 2);
  taken = endless("5", "          ", MOTE_HTTP1_WHY_CHUNK_EXTENSION);
  CHECK(taken >= MOTE_CHUNKED_MAX_EXTENSIONS - 10 && taken <= MOTE_CHUNKED_MAX_EXTENSIONS + 2);
  /* small chunks with large extensions */
  taken = endless("", "1;aaaaaaaaa\r\nx\r\n", MOTE_HTTP1_WHY_CHUNK_EXTENSION);
  CHECK(taken < (MOTE_CHUNKED_MAX_EXTENSIONS / 9 + 2) * 16);
  taken = endless("0\r\n", "A: bcdefghij\r\n", MOTE_HTTP1_WHY_HEAD_TOO_LONG);
  CHECK(taken >= MOTE_CHUNKED_MAX_TRAILERS - 20 && taken <= MOTE_CHUNKED_MAX_TRAILERS + 3);
}

TEST(done_stays_done)
{
  struct mote_chunked c;
  struct mote_chunked_event ev;
  char bytes[] = "0\r\n\r\nHTTP";
  mote_chunked_init(&c);
  CHECK_INT(mote_chunked_feed(&c, NULL, 0, &ev), CURLE_OK);
  CHECK_INT(ev.kind, MOTE_CHUNKED_NEED_MORE);
  CHECK_INT(mote_chunked_feed(&c, bytes, 9, &ev), CURLE_OK);
  CHECK_INT(ev.kind, MOTE_CHUNKED_DONE);
  CHECK_INT(ev.used, 5);
  CHECK_MEM(ev.line.whole.ptr, ev.line.whole.len, "\r\n", 2u);
  CHECK_INT(mote_chunked_feed(&c, bytes + 5, 4, &ev), CURLE_OK);
  CHECK_INT(ev.kind, MOTE_CHUNKED_DONE);
  CHECK_INT(ev.used, 0);
  CHECK_INT(mote_chunked_feed(&c, NULL, 0, &ev), CURLE_OK);
  CHECK_INT(ev.kind, MOTE_CHUNKED_DONE);
}

/* The size line and what there is of the data come in one event. */
TEST(one_event_per_chunk)
{
  struct mote_chunked c;
  struct mote_chunked_event ev;
  char bytes[] = "5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n";
  mote_chunked_init(&c);
  CHECK_INT(mote_chunked_feed(&c, bytes, sizeof bytes - 1, &ev), CURLE_OK);
  CHECK_INT(ev.used, 8);
  CHECK(ev.data.ptr == bytes + 3);
  CHECK_INT(mote_chunked_feed(&c, bytes + 8, sizeof bytes - 9, &ev), CURLE_OK);
  CHECK_INT(ev.used, 11);
  CHECK_MEM(ev.data.ptr, ev.data.len, " world", 6u);
  CHECK_INT(sizeof c <= 32, 1);
}

int main(void)
{
  TEST_RUN(table_whole);
  TEST_RUN(table_byte_by_byte);
  TEST_RUN(table_cut_at_random);
  TEST_RUN(ceilings);
  TEST_RUN(done_stays_done);
  TEST_RUN(one_event_per_chunk);
  return test_end();
}
