/* Unit tests of codec/http/websocket.h: frames of a server from data/websocket.txt, frames of a client, masks
 * against a plain way of making them, and the handshake's example.
 * Needs digests.
 * needs: src/codec/http/websocket.c src/base/digest/sha1.c */
#include "codec/http/websocket.h"

#include <curl/curl.h>

#include "table.h"

/* ---- reading ---- */

struct frame {
  char bytes[1024];
  size_t len;
  bool open;
};

static void log_frame(struct frame *f, struct table_log *l)
{
  if(!f->open)
    return;
  table_escape(l, f->bytes, f->len);
  table_log(l, "\n");
  f->open = false;
}

static const char *type_of(unsigned flags)
{
  switch(flags) {
  case CURLWS_TEXT: return "text";
  case CURLWS_TEXT | CURLWS_CONT: return "text+";
  case CURLWS_BINARY: return "binary";
  case CURLWS_BINARY | CURLWS_CONT: return "binary+";
  case CURLWS_CLOSE: return "close";
  case CURLWS_PING: return "ping";
  case CURLWS_PONG: return "pong";
  default: return "?";
  }
}

static void open_frame(struct mote_websocket_reader *r, struct frame *f, struct table_log *l)
{
  char line[100];
  snprintf(line, sizeof line, "FRAME %s %llu ", type_of(mote_websocket_flags(r)),
           (unsigned long long)r->size);
  table_log(l, line);
  f->open = true;
  f->len = 0;
  if(!r->left)
    mote_websocket_took(r, 0);
}

/* Uses some of the bytes. Returns how many; *why ends the case. */
static size_t feed(struct mote_websocket_reader *r, struct frame *f, const char *bytes, size_t n,
                   struct table_log *l, enum mote_websocket_why *why)
{
  size_t used;
  if(r->in_frame) {
    used = n < r->left ? n : (size_t)r->left;
    memcpy(f->bytes + f->len, bytes, used);
    f->len += used;
    mote_websocket_took(r, used);
    return used;
  }
  *why = mote_websocket_head(r, bytes, n, &used);
  if(!*why && !r->in_frame)
    return used;
  log_frame(f, l);
  if(!*why)
    open_frame(r, f, l);
  return used;
}

static void one_case(const struct table_case *c, char *bytes, size_t len, unsigned cut, struct table_log *l)
{
  static struct frame f;
  struct mote_websocket_reader r = {0};
  enum mote_websocket_why why = MOTE_WEBSOCKET_OK;
  size_t at = 0;
  (void)c;
  f.open = false;
  while(at < len && !why) {
    size_t n = table_step(cut, len - at), used = 0;
    while(used < n && !why)
      used += feed(&r, &f, bytes + at + used, n - used, l, &why);
    at += n;
  }
  log_frame(&f, l);
  if(why) {
    table_log(l, "error ");
    table_log(l, mote_websocket_why_text(why));
    table_log(l, "\n");
  }
  else if(mote_websocket_is_cut(&r))
    table_log(l, "cut\n");
}

static void run(unsigned cut)
{
  CHECK(table_run("websocket.txt", cut, one_case) > 20);
}
TABLE_TESTS(run)

TEST(judges_the_bytes_of_texts)
{
  struct mote_websocket_reader r = {.opcode = MOTE_WEBSOCKET_BINARY, .left = 2, .final = true};
  CHECK_INT(mote_websocket_judge(&r, "\xc3\xc3", 2), MOTE_WEBSOCKET_OK);
  CHECK(!mote_websocket_is_control(&r));
  r.opcode = MOTE_WEBSOCKET_TEXT;
  CHECK_INT(mote_websocket_judge(&r, "\xc3", 1), MOTE_WEBSOCKET_OK); /* its second byte is still to come */
  mote_websocket_took(&r, 1);
  CHECK_INT(mote_websocket_judge(&r, "\xa4", 1), MOTE_WEBSOCKET_OK);
  r.left = 1;
  CHECK_INT(mote_websocket_judge(&r, "\xc3", 1), MOTE_WEBSOCKET_NOT_UTF8); /* the message ends before it */
  r.opcode = MOTE_WEBSOCKET_CLOSE;
  CHECK(mote_websocket_is_control(&r));
}

/* ---- writing ---- */

static const uint8_t mask[4] = {0x37, 0xfa, 0x21, 0x3d}; /* RFC 6455 section 5.7 */

static void check_head(struct mote_websocket_writer *w, unsigned flags, uint64_t size, const char *want,
                       size_t want_len)
{
  char head[MOTE_WEBSOCKET_HEAD];
  size_t len = 0;
  CHECK(mote_websocket_begin(w, flags, size, mask, head, &len) == MOTE_WEBSOCKET_OK);
  CHECK_MEM(head, len, want, want_len);
  CHECK(w->left == size);
}

TEST(masks_the_example_of_section_5_7)
{
  struct mote_websocket_writer w = {0};
  char out[5];
  check_head(&w, CURLWS_TEXT, 5, "\x81\x85\x37\xfa\x21\x3d", 6);
  mote_websocket_mask(&w, out, "Hello", 5);
  CHECK_MEM(out, 5, "\x7f\x9f\x4d\x51\x58", 5);
  CHECK(!w.left);
}

TEST(writes_each_form_of_length)
{
  struct mote_websocket_writer w = {0};
  check_head(&w, CURLWS_BINARY, 0, "\x82\x80\x37\xfa\x21\x3d", 6);
  check_head(&w, CURLWS_BINARY, 125, "\x82\xfd\x37\xfa\x21\x3d", 6);
  check_head(&w, CURLWS_BINARY, 126, "\x82\xfe\0\x7e\x37\xfa\x21\x3d", 8);
  check_head(&w, CURLWS_BINARY, 65535, "\x82\xfe\xff\xff\x37\xfa\x21\x3d", 8);
  check_head(&w, CURLWS_BINARY, 65536, "\x82\xff\0\0\0\0\0\x01\0\0\x37\xfa\x21\x3d", 14);
  check_head(&w, CURLWS_BINARY, INT64_MAX, "\x82\xff\x7f\xff\xff\xff\xff\xff\xff\xff\x37\xfa\x21\x3d", 14);
}

TEST(fragments_continue_whatever_type_they_name)
{
  struct mote_websocket_writer w = {0};
  check_head(&w, CURLWS_TEXT | CURLWS_CONT, 0, "\x01\x80\x37\xfa\x21\x3d", 6);
  check_head(&w, CURLWS_TEXT | CURLWS_CONT, 0, "\0\x80\x37\xfa\x21\x3d", 6);
  check_head(&w, CURLWS_CONT, 0, "\0\x80\x37\xfa\x21\x3d", 6);
  check_head(&w, CURLWS_PING, 0, "\x89\x80\x37\xfa\x21\x3d", 6);
  check_head(&w, 0, 0, "\x80\x80\x37\xfa\x21\x3d", 6);
  check_head(&w, CURLWS_BINARY | CURLWS_OFFSET, 0, "\x82\x80\x37\xfa\x21\x3d", 6);
}

TEST(refuses_what_is_no_frame)
{
  static const struct {
    unsigned flags;
    uint64_t size;
    enum mote_websocket_why why;
  } cases[] = {
    {0, 1, MOTE_WEBSOCKET_NO_TYPE},
    {CURLWS_CONT, 1, MOTE_WEBSOCKET_NO_TYPE},
    {CURLWS_OFFSET, 1, MOTE_WEBSOCKET_NO_TYPE},
    {CURLWS_TEXT | CURLWS_BINARY, 1, MOTE_WEBSOCKET_FLAGS},
    {CURLWS_TEXT | CURLWS_PING, 1, MOTE_WEBSOCKET_FLAGS},
    {CURLWS_TEXT | 128, 1, MOTE_WEBSOCKET_FLAGS},
    {CURLWS_PING | CURLWS_CONT, 1, MOTE_WEBSOCKET_CONTROL_CUT},
    {CURLWS_PING, 126, MOTE_WEBSOCKET_CONTROL_LONG},
    {CURLWS_PONG, 126, MOTE_WEBSOCKET_CONTROL_LONG},
    {CURLWS_CLOSE, 126, MOTE_WEBSOCKET_CONTROL_LONG},
  };
  struct mote_websocket_writer w = {0};
  char head[MOTE_WEBSOCKET_HEAD];
  size_t i, len;
  for(i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    CHECK(mote_websocket_begin(&w, cases[i].flags, cases[i].size, mask, head, &len) == cases[i].why);
    CHECK(mote_websocket_why_text(cases[i].why) != NULL);
    CHECK(!w.left && !w.in_message);
  }
}

/* Every length and alignment that the vector loop treats differently, in pieces, and in place. */
TEST(masks_any_piece_anywhere)
{
  static char from[300], to[308], want[300];
  size_t len, off, cut, i;
  for(i = 0; i < sizeof from; i++)
    from[i] = (char)test_random();
  for(len = 0; len < 270; len += 1 + len / 40)
    for(off = 0; off < 8; off++) {
      struct mote_websocket_writer w = {0};
      char head[MOTE_WEBSOCKET_HEAD];
      size_t head_len;
      CHECK(!mote_websocket_begin(&w, CURLWS_BINARY, len, mask, head, &head_len));
      for(i = 0; i < len; i++)
        want[i] = (char)(from[i] ^ mask[i % 4]);
      memcpy(to + off, from, len);
      for(i = 0; i < len; i += cut) {
        cut = 1 + test_random() % 100;
        cut = cut < len - i ? cut : len - i;
        mote_websocket_mask(&w, to + off + i, to + off + i, cut);
      }
      CHECK_MEM(to + off, len, want, len);
      CHECK(!w.left);
    }
}

/* ---- the handshake ---- */

TEST(answers_the_key_of_section_1_3)
{
  static const char key[] = "dGhlIHNhbXBsZSBub25jZQ==";
  static const char accept[] = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=";
  char made[MOTE_WEBSOCKET_KEY + 1];
  mote_websocket_key((const uint8_t *)"the sample nonce", made);
  CHECK(!strcmp(made, key));
  CHECK(mote_websocket_accepts(key, strlen(key), accept, strlen(accept)));
  CHECK(!mote_websocket_accepts(key, strlen(key), accept, strlen(accept) - 1));
  CHECK(!mote_websocket_accepts(key, strlen(key) - 1, accept, strlen(accept)));
  CHECK(!mote_websocket_accepts(key, strlen(key), "S3pPLMBiTxaQ9kYGzzhZRbK+xOo=", 28));
  CHECK(!mote_websocket_accepts(key, strlen(key), "", 0));
}

/* Judges a text in pieces of so many bytes, each a fragment. */
static enum mote_websocket_why judged(const char *text, size_t cut)
{
  struct mote_websocket_reader r = {.opcode = MOTE_WEBSOCKET_TEXT};
  enum mote_websocket_why why = MOTE_WEBSOCKET_OK;
  size_t len = strlen(text), at = 0;
  while(!why && at < len) {
    size_t n = cut < len - at ? cut : len - at;
    r.final = at + n == len;
    r.left = n;
    why = mote_websocket_judge(&r, text + at, n);
    at += n;
  }
  return why;
}

TEST(utf_8)
{
  static const char *const right[] = {
    "ascii of more than eight bytes", "\x7f", "\xc2\x80\xdf\xbf", "\xe0\xa0\x80\xed\x9f\xbf",
    "\xee\x80\x80\xef\xbf\xbf",
    "\xf0\x90\x80\x80\xf4\x8f\xbf\xbf", ("12345678\xe2\x82\xac" "12345678")};
  static const char *const wrong[] = {
    "\x80", "\xc0\x80", "\xc1\xbf", "\xc2", "\xc2\x41",
    "\xe0\x9f\xbf", "\xed\xa0\x80", "\xe2\x82",
    "\xf0\x8f\xbf\xbf",
    "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff", ("12345678\xe2\x82" "12345678")};
  size_t i, cut;
  for(cut = 1; cut < 20; cut++) {
    for(i = 0; i < sizeof right / sizeof right[0]; i++)
      CHECK(judged(right[i], cut) == MOTE_WEBSOCKET_OK);
    for(i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
      CHECK(judged(wrong[i], cut) == MOTE_WEBSOCKET_NOT_UTF8);
  }
}

int main(void)
{
  TEST_RUN(table_whole);
  TEST_RUN(table_byte_by_byte);
  TEST_RUN(table_cut_at_random);
  TEST_RUN(judges_the_bytes_of_texts);
  TEST_RUN(masks_the_example_of_section_5_7);
  TEST_RUN(writes_each_form_of_length);
  TEST_RUN(fragments_continue_whatever_type_they_name);
  TEST_RUN(refuses_what_is_no_frame);
  TEST_RUN(masks_any_piece_anywhere);
  TEST_RUN(answers_the_key_of_section_1_3);
  TEST_RUN(utf_8);
  return test_end();
}
