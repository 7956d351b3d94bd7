/* tests/unit/codec/test_dots.c: dots and line ends of mails (codec/mail/dots.h), whole, byte by byte and
 * cut at random, and against a plain second way of doing the same. needs: src/codec/mail/dots.c */
#include "codec/mail/dots.h"

#include "test.h"

#define MOST 4096

struct bytes {
  char at[2 * MOST];
  size_t len;
};

static void add(struct bytes *b, const char *bytes, size_t len)
{
  memcpy(b->at + b->len, bytes, len);
  b->len += len;
}

static size_t cut_of(size_t cut, size_t left)
{
  size_t n = cut ? cut : 1 + test_random() % 90;
  return n < left ? n : left;
}

/* ---- receiving ---- */

/* What a mail server's bytes are, looked at one after the other. *used: up to and with the end. */
static void undo_plainly(const char *in, size_t len, struct bytes *out, size_t *used)
{
  size_t i = 0;
  bool line = true;
  out->len = 0;
  while(i < len) {
    if(line && len - i >= 3 && !memcmp(in + i, ".\r\n", 3)) {
      *used = i + 3;
      return;
    }
    if(line && len - i >= 2 && !memcmp(in + i, "..", 2))
      i++;
    line = in[i] == '\n' && i && in[i - 1] == '\r';
    add(out, in + i++, 1);
  }
  *used = len;
}

/* Feeds pieces of `cut` bytes (0: at random); what is not used comes again with the next one. */
static uint8_t undo_in_pieces(const char *in, size_t len, size_t cut, struct bytes *out, size_t *used)
{
  uint8_t at = 0;
  size_t from = 0, end = 0;
  out->len = *used = 0;
  while(end < len && at != MOTE_DOTS_OVER) {
    char piece[MOST];
    size_t n, got;
    end += cut_of(cut, len - end);
    memcpy(piece, in + from, end - from);
    n = mote_dots_undo(&at, piece, end - from, &got);
    if(!CHECK(n <= end - from && got <= n && (at == MOTE_DOTS_OVER || end - from - n <= 2)))
      break;
    add(out, piece, got);
    from += n;
  }
  *used = from;
  return at;
}

static void check_undone(const char *in, size_t len, const char *want, size_t want_len, size_t want_used,
                         bool over)
{
  static struct bytes got;
  size_t cut, used;
  for(cut = 0; cut <= 70 && cut <= len + 1; cut++) {
    uint8_t at = undo_in_pieces(in, len, cut == 70 ? len : cut, &got, &used);
    if(!CHECK_MEM(got.at, got.len, want, want_len) || !CHECK((at == MOTE_DOTS_OVER) == over) ||
       !CHECK(!over || used == want_used))
      return;
  }
}

TEST(undoes_the_framing_of_a_response)
{
  static const struct {
    const char *in, *out;
    size_t after; /* bytes after the end, which stay */
  } rows[] = {
    {"hello\r\n.\r\n", "hello\r\n", 0},
    {".\r\n", "", 0},
    {"\r\n.\r\n", "\r\n", 0},
    {"..\r\n.\r\n", ".\r\n", 0},
    {"...\r\n.\r\n", "..\r\n", 0},
    {".a\r\n.\r\n", ".a\r\n", 0},
    {"a..b.\r\n...c\r\n.\r\n", "a..b.\r\n..c\r\n", 0},
    {"x\n.\nz\r.\r\n.\rk\r\n.\n\r\n\r\n.\r\n", "x\n.\nz\r.\r\n.\rk\r\n.\n\r\n\r\n", 0},
    {"a\n.\r\nb\r\n.\r\n", "a\n.\r\nb\r\n", 0},
    {"a\r\r\n.\r\n", "a\r\r\n", 0},
    {"abc\r\n.\r\nmore\r\n.\r\n", "abc\r\n", 9},
  };
  size_t i;
  for(i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    size_t len = strlen(rows[i].in);
    check_undone(rows[i].in, len, rows[i].out, strlen(rows[i].out), len - rows[i].after, true);
  }
}

TEST(waits_for_the_rest_of_a_line_that_may_be_the_end)
{
  static const char *const rows[] = {".", ".\r"};
  size_t i, out;
  for(i = 0; i < 2; i++) {
    char bytes[3];
    uint8_t at = 0;
    strcpy(bytes, rows[i]);
    CHECK_INT(mote_dots_undo(&at, bytes, strlen(bytes), &out), 0);
    CHECK_INT(out, 0);
    CHECK_INT(at, MOTE_DOTS_LINE);
  }
}

/* Few different bytes, so that dots and line ends are everywhere. */
static size_t random_text(char *to, size_t most, unsigned rare)
{
  static const char few[] = "..\r\n\r\n.a";
  size_t len = test_random() % most, i;
  for(i = 0; i < len; i++)
    to[i] = test_random() % rare ? 'x' : few[test_random() % (sizeof few - 1)];
  for(i = 0; i + 3 < len; i += 1 + test_random() % (4 * rare))
    memcpy(to + i, "\r\n.", 3);
  return len;
}

TEST(undoes_what_chance_makes)
{
  static struct bytes want, got;
  static char in[MOST];
  int round;
  for(round = 0; round < 4000; round++) {
    size_t len = random_text(in, round % 8 ? 300 : MOST, 1 + (unsigned)round % 40), used, got_used;
    uint8_t at;
    undo_plainly(in, len, &want, &used);
    at = undo_in_pieces(in, len, round % 3 ? 0 : len + 1, &got, &got_used);
    if(at == MOTE_DOTS_OVER) {
      if(!CHECK_INT(got_used, used) || !CHECK_MEM(got.at, got.len, want.at, want.len))
        return;
    }
    else if(!CHECK(used == len && got.len <= want.len && !memcmp(got.at, want.at, got.len)))
      return;
  }
}

/* ---- sending ---- */

/* Sends pieces of `cut` bytes from inside the room that they go to. */
static uint8_t put_in_pieces(const char *in, size_t len, size_t cut, struct bytes *out)
{
  uint8_t at = 0;
  size_t from = 0, used;
  out->len = 0;
  while(from < len) {
    char room[2 * MOST];
    size_t n = cut_of(cut, len - from), gap = n / 3 + 2;
    memcpy(room + gap, in + from, n);
    n = mote_dots_put(&at, room, n + gap, (struct mote_slice){room + gap, n}, &used);
    if(!CHECK(used > 0))
      break;
    add(out, room, n);
    from += used;
  }
  return at;
}

static void check_put(const char *in, const char *want, const char *end)
{
  static struct bytes got;
  size_t cut;
  for(cut = 0; cut <= strlen(in) + 1; cut++) {
    uint8_t at = put_in_pieces(in, strlen(in), cut, &got);
    CHECK_MEM(got.at, got.len, want, strlen(want));
    CHECK_STR(mote_dots_end(at), end);
  }
}

TEST(puts_a_dot_before_each_line_that_begins_with_one)
{
  check_put("", "", ".\r\n");
  check_put(".x\r\nlast\r\n", "..x\r\nlast\r\n", ".\r\n");
  check_put(".a\nb\n.c\n\r.d\r\n.\r\nno end", "..a\nb\n.c\n\r.d\r\n..\r\nno end", "\r\n.\r\n");
  check_put("..", "...", "\r\n.\r\n");
  check_put("a\r\n..\r\n.", "a\r\n...\r\n..", "\r\n.\r\n");
  check_put("a\n", "a\n", "\r\n.\r\n");
  check_put("a\r", "a\r", "\r\n.\r\n");
  check_put("\r\n.\r\n.\r\n", "\r\n..\r\n..\r\n", ".\r\n");
}

/* What is put in is undone, and no mail ends before its end. */
TEST(what_is_sent_is_what_arrives)
{
  static struct bytes sent, got;
  static char in[MOST];
  int round;
  for(round = 0; round < 4000; round++) {
    size_t len = random_text(in, round % 8 ? 300 : MOST, 1 + (unsigned)round % 40), used;
    uint8_t at = put_in_pieces(in, len, round % 3 ? 0 : len + 1, &sent);
    const char *end = mote_dots_end(at);
    add(&sent, end, strlen(end));
    CHECK_INT(undo_in_pieces(sent.at, sent.len < MOST ? sent.len : MOST, MOST, &got, &used),
              sent.len <= MOST ? MOTE_DOTS_OVER : undo_in_pieces(sent.at, MOST, MOST, &got, &used));
    if(sent.len > MOST)
      continue;
    if(!CHECK_INT(used, sent.len) || !CHECK(got.len >= len && !memcmp(got.at, in, len)))
      return;
  }
}

TEST(stops_where_the_room_ends)
{
  char room[8];
  uint8_t at = 0;
  size_t used;
  CHECK_INT(mote_dots_put(&at, room, 1, mote_slice_of("."), &used), 0);
  CHECK_INT(used, 0);
  CHECK_INT(at, MOTE_DOTS_LINE);
  CHECK_INT(mote_dots_put(&at, room, 2, mote_slice_of(".ab"), &used), 2);
  CHECK_INT(used, 1);
  CHECK_INT(at, MOTE_DOTS_TEXT);
}

/* ---- line ends ---- */

static void check_crlf(const char *in, const char *want)
{
  size_t cut, room;
  for(cut = 1; cut <= strlen(in) + 1; cut++)
    for(room = 2; room < 9; room++) {
      struct bytes got = {.len = 0};
      bool cr = false;
      size_t from = 0, used;
      while(from < strlen(in)) {
        char to[16];
        size_t n = cut_of(cut, strlen(in) - from);
        n = mote_dots_crlf(&cr, to, room, (struct mote_slice){in + from, n}, &used);
        if(!CHECK(n <= room && (used || n)))
          return;
        add(&got, to, n);
        from += used;
      }
      CHECK_MEM(got.at, got.len, want, strlen(want));
    }
}

TEST(nothing_after_the_end_is_taken)
{
  char bytes[] = "a.\r\n";
  uint8_t at = MOTE_DOTS_OVER;
  size_t out = 1;
  CHECK_INT(mote_dots_undo(&at, bytes, 4, &out), 0);
  CHECK_INT(out, 0);
}

TEST(puts_cr_before_lf)
{
  check_crlf("a\nb\n\nc\r\nd\r\r\n\n", "a\r\nb\r\n\r\nc\r\nd\r\r\n\r\n");
  check_crlf("\n", "\r\n");
  check_crlf("\r\n\n", "\r\n\r\n");
  check_crlf("none", "none");
}

int main(void)
{
  TEST_RUN(undoes_the_framing_of_a_response);
  TEST_RUN(waits_for_the_rest_of_a_line_that_may_be_the_end);
  TEST_RUN(undoes_what_chance_makes);
  TEST_RUN(puts_a_dot_before_each_line_that_begins_with_one);
  TEST_RUN(what_is_sent_is_what_arrives);
  TEST_RUN(stops_where_the_room_ends);
  TEST_RUN(nothing_after_the_end_is_taken);
  TEST_RUN(puts_cr_before_lf);
  return test_end();
}
