/* Unit tests of codec/coding/decode.h: bodies from data/decode.txt, long ones made here, allocations that
 * fail. Needs accounts, zlib, zstd. */
#include "codec/coding/decode.h"

#include <zlib.h>
#include <zstd.h>

#include "base/memory.h"
#include "codec/limits.h"
#include "table.h"

static struct mote_account account;

/* Decoded bytes. */
struct body {
  char *bytes; /* not in the counted memory */
  size_t len;
  size_t cap;
  unsigned pause; /* every how many writes CURLE_AGAIN; 0: never */
  unsigned writes;
  CURLcode fail; /* to give back at the third write */
};

static CURLcode body_write(void *user, char *bytes, size_t len)
{
  struct body *b = user;
  CHECK(len > 0);
  if(b->fail && b->writes == 2)
    return b->fail;
  if(b->len + len > b->cap) {
    b->cap = (b->len + len) * 2;
    b->bytes = realloc(b->bytes, b->cap);
    if(!b->bytes)
      abort();
  }
  memcpy(b->bytes + b->len, bytes, len);
  memset(bytes, 'S', len); /* scribble */
  b->len += len;
  b->writes++;
  return b->pause && b->writes % b->pause == 0 ? CURLE_AGAIN : CURLE_OK;
}

static void body_free(struct body *b)
{
  free(b->bytes);
  memset(b, 0, sizeof *b);
}

static unsigned codings_of(const char *text, uint8_t *list)
{
  unsigned n = 0;
  while(*text) {
    struct mote_slice name = { text, strcspn(text, ",") };
    list[n++] = (uint8_t)mote_coding_of(name);
    text += name.len;
    text += *text == ',';
  }
  return n;
}

static uint32_t turn = MOTE_DECODE_TURN; /* what each call may spend */

/* Feeds all of it, cut by `cut`, through a room of cap bytes; the code that ended it. */
static CURLcode feed(struct mote_decode_chain *c, const char *bytes, size_t len, unsigned cut, size_t cap,
                     struct body *b)
{
  struct mote_decode_out out = {malloc(cap), cap, body_write, b};
  size_t from = 0;
  size_t to = 0;
  CURLcode rc = CURLE_OK;
  for(;;) {
    size_t n = to - from;
    char *block = n ? malloc(n) : NULL;
    size_t used;
    uint32_t left = turn;
    if(block)
      memcpy(block, bytes + from, n);
    rc = mote_decode_push(c, (struct mote_slice){block, n}, &used, &left, &out);
    free(block);
    CHECK(used <= n);
    from += used;
    if(rc == CURLE_AGAIN)
      continue;
    CHECK(rc || used == n);
    if(rc || to == len)
      break;
    to += table_step(cut, len - to);
  }
  free(out.room);
  return rc;
}

static void run_case(const struct table_case *t, unsigned cut, size_t cap, unsigned pause)
{
  static struct table_log log;
  struct mote_decode_chain *c;
  struct body b = { .pause = pause };
  uint8_t list[16];
  unsigned count = codings_of(table_get(t, "codings", 0), list);
  size_t len;
  char *bytes = table_bytes(table_get(t, "in", 0), &len);
  char text[60];
  CURLcode rc = mote_decode_open(&c, list, count, &account);
  log.len = 0;
  if(rc)
    snprintf(text, sizeof text, "open %d\n", (int)rc);
  else {
    rc = feed(c, bytes, len, cut, cap, &b);
    if(rc)
      snprintf(text, sizeof text, "error %d\n", (int)rc);
    else {
      rc = mote_decode_finish(c);
      snprintf(text, sizeof text, rc ? "truncated %d\n" : "complete\n", (int)rc);
    }
  }
  if(b.len && !table_get(t, "data", 0)) {
    table_log(&log, "DATA ");
    table_escape(&log, b.bytes, b.len);
    table_log(&log, "\n");
  }
  table_log(&log, text);
  table_compare(t, &log, table_cut_name(cut));
  mote_decode_close(c);
  body_free(&b);
  free(bytes);
}

static void run_table(unsigned cut, size_t cap, unsigned pause)
{
  static struct table_case t;
  FILE *f = table_open("decode.txt");
  unsigned line = 0;
  unsigned cases = 0;
  while(table_next(f, &t, &line)) {
    run_case(&t, cut, cap, pause);
    cases++;
  }
  CHECK(cases > 50);
  CHECK_ACCOUNT(&account);
  fclose(f);
}

TEST(table_whole) { run_table(TABLE_WHOLE, 16384, 0); }
TEST(table_byte_by_byte) { run_table(TABLE_BYTES, 16384, 0); }
TEST(table_one_byte_of_room) { run_table(TABLE_WHOLE, 1, 0); }
TEST(table_both_by_bytes) { run_table(TABLE_BYTES, 1, 0); }
TEST(table_paused_at_every_write) { run_table(TABLE_WHOLE, 7, 1); }

TEST(table_in_the_shortest_turns)
{
  turn = 1;
  run_table(TABLE_WHOLE, 16384, 0);
  run_table(TABLE_BYTES, 1, 1);
  turn = MOTE_DECODE_TURN;
}

TEST(table_cut_at_random)
{
  unsigned cut;
  for(cut = TABLE_RANDOM; cut < TABLE_CUTS; cut++)
    run_table(cut, 1 + test_random() % 300, test_random() % 4);
}

/* Bytes that compress, but not to nothing. */
static char *long_text(size_t len)
{
  char *p = malloc(len);
  size_t i;
  for(i = 0; i < len; i++)
    p[i] = (char)("the quick brown fox "[(i * 7 + i / 97 * (test_random() % 5)) % 20]);
  return p;
}

static char *gzipped(const char *in, size_t len, size_t *out_len)
{
  z_stream z;
  char *out;
  memset(&z, 0, sizeof z);
  CHECK_INT(deflateInit2(&z, 6, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY), Z_OK);
  *out_len = deflateBound(&z, len);
  out = malloc(*out_len);
  z.next_in = (Bytef *)(uintptr_t)in;
  z.avail_in = (uInt)len;
  z.next_out = (Bytef *)out;
  z.avail_out = (uInt)*out_len;
  CHECK_INT(deflate(&z, Z_FINISH), Z_STREAM_END);
  *out_len = z.total_out;
  deflateEnd(&z);
  return out;
}

static char *zstandard(const char *in, size_t len, size_t *out_len)
{
  char *out;
  *out_len = ZSTD_compressBound(len);
  out = malloc(*out_len);
  *out_len = ZSTD_compress(out, *out_len, in, len, 3);
  return out;
}

/* One megabyte, gzip over zstd, in pieces through 16 KB with pauses. */
TEST(long_body)
{
  static const uint8_t both[] = { MOTE_CODING_ZSTD, MOTE_CODING_GZIP };
  size_t len = 1 << 20;
  size_t zlen;
  size_t glen;
  char *text = long_text(len);
  char *z = zstandard(text, len, &zlen);
  char *g = gzipped(z, zlen, &glen);
  unsigned cut;
  for(cut = 0; cut < 6; cut++) {
    struct mote_decode_chain *c;
    struct body b = { .pause = cut };
    CHECK_INT(mote_decode_open(&c, both, 2, &account), CURLE_OK);
    CHECK_INT(feed(c, g, glen, cut, cut == 5 ? 100 : 16384, &b), CURLE_OK);
    CHECK_INT(mote_decode_finish(c), CURLE_OK);
    CHECK(b.len == len && !memcmp(b.bytes, text, len));
    mote_decode_close(c);
    body_free(&b);
  }
  free(text);
  free(z);
  free(g);
  CHECK_ACCOUNT(&account);
}

/* What the writer says ends the decoding. */
/* The gzip member of these bytes, not in the counted memory. */
static char *gzip(const char *bytes, size_t len, size_t *size)
{
  z_stream z;
  char *out;
  memset(&z, 0, sizeof z);
  if(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    abort();
  *size = deflateBound(&z, len);
  out = malloc(*size);
  z.next_in = (Bytef *)(uintptr_t)bytes;
  z.avail_in = (uInt)len;
  z.next_out = (Bytef *)out;
  z.avail_out = (uInt)*size;
  if(deflate(&z, Z_FINISH) != Z_STREAM_END)
    abort();
  *size = z.total_out;
  (void)deflateEnd(&z);
  return out;
}

/* Several members of it, as gzip again. */
static char *gzip_of_many(const char *bytes, size_t len, size_t times, size_t *size)
{
  char *member = gzip(bytes, len, size);
  size_t one = *size;
  char *all = malloc(one * times);
  char *out;
  size_t i;
  for(i = 0; i < times; i++)
    memcpy(all + i * one, member, one);
  out = gzip(all, one * times, size);
  free(member);
  free(all);
  return out;
}

static size_t counted;

static CURLcode count_write(void *user, char *bytes, size_t len)
{
  (void)user;
  (void)bytes;
  counted += len;
  return CURLE_OK;
}

/* Turns until all of it is decoded, or `most` of them. No turn makes more than it may. */
static unsigned turns_of(const char *bytes, size_t len, unsigned most)
{
  static const uint8_t twice[] = {MOTE_CODING_GZIP, MOTE_CODING_GZIP};
  static char room[16384];
  struct mote_decode_out out = {room, sizeof room, count_write, NULL};
  struct mote_decode_chain *c;
  unsigned turns = 0;
  CURLcode rc = CURLE_AGAIN;
  CHECK_INT(mote_decode_open(&c, twice, 2, &account), CURLE_OK);
  while(rc == CURLE_AGAIN && turns < most) {
    uint32_t left = MOTE_DECODE_TURN;
    size_t used, before = counted;
    rc = mote_decode_push(c, (struct mote_slice){bytes, len}, &used, &left, &out);
    CHECK(!left == (rc == CURLE_AGAIN));
    CHECK(counted - before < MOTE_DECODE_TURN + sizeof room);
    bytes += used;
    len -= used;
    turns++;
  }
  mote_decode_close(c);
  return turns;
}

/* A few kilobytes that make four gigabytes: each turn makes what it may, however long it could go on. */
TEST(a_bomb_is_decoded_in_turns)
{
  char *zeros = calloc(1, 4 << 20);
  size_t size;
  char *bomb = gzip_of_many(zeros, 4 << 20, 1000, &size);
  CHECK_INT(turns_of(bomb, size, 20), 20);
  free(bomb);
  free(zeros);
}

/* Eight megabytes between the stages, of which nothing comes: the turns end all the same. */
TEST(work_without_output_is_done_in_turns)
{
  size_t size;
  char *bomb = gzip_of_many("", 0, 400000, &size);
  unsigned turns = turns_of(bomb, size, 1000);
  CHECK(turns > 60 && turns < 100);
  free(bomb);
}

TEST(writer_fails)
{
  static const uint8_t one[] = { MOTE_CODING_GZIP };
  size_t glen;
  char *text = long_text(1000);
  char *g = gzipped(text, 1000, &glen);
  struct mote_decode_chain *c;
  struct body b = { .fail = CURLE_WRITE_ERROR };
  CHECK_INT(mote_decode_open(&c, one, 1, &account), CURLE_OK);
  CHECK_INT(feed(c, g, glen, TABLE_WHOLE, 10, &b), CURLE_WRITE_ERROR);
  CHECK_INT(b.len, 20);
  mote_decode_close(c);
  body_free(&b);
  free(text);
  free(g);
}

/* Bytes that do not compress: one call of the decoder reads more than a turn's worth of them. */
TEST(much_is_read_at_once)
{
  static const uint8_t one[] = { MOTE_CODING_GZIP };
  size_t len = 4 << 20, glen, i;
  char *noise = malloc(len);
  char *g;
  struct mote_decode_chain *c;
  struct body b = { 0 };
  for(i = 0; i < len; i++)
    noise[i] = (char)test_random();
  g = gzipped(noise, len, &glen);
  CHECK_INT(mote_decode_open(&c, one, 1, &account), CURLE_OK);
  CHECK_INT(feed(c, g, glen, TABLE_WHOLE, len + 1, &b), CURLE_OK);
  CHECK(b.len == len && !memcmp(b.bytes, noise, len));
  mote_decode_close(c);
  body_free(&b);
  free(noise);
  free(g);
}

/* A body that is broken after bytes which the writer refuses: the writer's code comes first. */
TEST(writer_fails_where_the_body_is_broken)
{
  static const uint8_t one[] = { MOTE_CODING_GZIP };
  size_t glen;
  char *text = long_text(1000);
  char *g = gzipped(text, 1000, &glen);
  struct mote_decode_chain *c;
  struct body b = { .fail = CURLE_WRITE_ERROR, .writes = 2 };
  g[glen - 8] = (char)~g[glen - 8]; /* the checksum */
  CHECK_INT(mote_decode_open(&c, one, 1, &account), CURLE_OK);
  CHECK_INT(feed(c, g, glen, TABLE_WHOLE, 4000, &b), CURLE_WRITE_ERROR);
  mote_decode_close(c);
  body_free(&b);
  free(text);
  free(g);
}

/* Every decoder, over and over with allocations that fail. */
static char *failing_in[4];
static size_t failing_len[4];
static const uint8_t failing_coding[4] = {
  MOTE_CODING_GZIP, MOTE_CODING_DEFLATE, MOTE_CODING_ZSTD, MOTE_CODING_BR
};

static void failing(void)
{
  unsigned i;
  for(i = 0; i < 4; i++) {
    struct mote_decode_chain *c;
    struct body b = { 0 };
    CURLcode rc = mote_decode_open(&c, &failing_coding[i], 1, &account);
    if(!rc) {
      rc = feed(c, failing_in[i], failing_len[i], TABLE_WHOLE, 1000, &b);
      if(!rc) {
        CHECK_INT(b.len, 40000);
        CHECK_INT(mote_decode_finish(c), CURLE_OK);
      }
    }
    CHECK(!rc || (rc == CURLE_OUT_OF_MEMORY && test_mem.failed));
    mote_decode_close(c);
    body_free(&b);
    CHECK_ACCOUNT(&account);
  }
}

TEST(allocations_fail)
{
  /* 40,000 times the letter a, from data/decode.txt */
  static const char *const names[4] = { "long, gzip", "long, deflate", "long, zstd", "long, br" };
  static struct table_case t;
  FILE *f = table_open("decode.txt");
  unsigned line = 0;
  unsigned i;
  while(table_next(f, &t, &line))
    for(i = 0; i < 4; i++)
      if(!strcmp(table_get(&t, "name", 0), names[i]))
        failing_in[i] = table_bytes(table_get(&t, "in", 0), &failing_len[i]);
  fclose(f);
  run_with_failures(failing);
  for(i = 0; i < 4; i++)
    free(failing_in[i]);
}

/* A budget that does not allow the decoder. */
TEST(budget)
{
  static const uint8_t one[] = { MOTE_CODING_ZSTD };
  struct mote_decode_chain *c;
  struct mote_account_more ceiling = { .limit = 10000 };
  account.more = &ceiling;
  CHECK_INT(mote_decode_open(&c, one, 1, &account), CURLE_OUT_OF_MEMORY);
  CHECK(!c);
  account.more = NULL;
  CHECK_ACCOUNT(&account);
}

TEST(table_of_decoders)
{
  char accept[64];
  unsigned i;
  const struct mote_decoder *d;
  CHECK_INT(mote_decode_accept(accept, sizeof accept), 23);
  CHECK_STR(accept, "deflate, gzip, br, zstd");
  CHECK_INT(mote_decode_accept(accept, 8), 7);
  CHECK_STR(accept, "deflate");
  CHECK_INT(mote_decode_accept(accept, 0), 0);
  for(i = 0; (d = mote_decoder_at(i)) != NULL; i++) {
    CHECK(mote_decoder_find((enum mote_coding)d->coding) == d);
    CHECK(d->version_number() > 0);
    CHECK(!d->version_text || d->version_text()[0]);
  }
  CHECK_INT(i, 4);
  CHECK(!mote_decoder_at(5));
  CHECK_STR(mote_decoder_at(0)->name, "deflate"); /* in the order of Accept-Encoding */
  CHECK_STR(mote_decoder_at(1)->name, "gzip");
  CHECK(!mote_decoder_find(MOTE_CODING_UNKNOWN));
  mote_decode_close(NULL);
}

int main(void)
{
  TEST_RUN(table_whole);
  TEST_RUN(table_byte_by_byte);
  TEST_RUN(table_one_byte_of_room);
  TEST_RUN(table_both_by_bytes);
  TEST_RUN(table_paused_at_every_write);
  TEST_RUN(table_cut_at_random);
  TEST_RUN(long_body);
  TEST_RUN(table_in_the_shortest_turns);
  TEST_RUN(a_bomb_is_decoded_in_turns);
  TEST_RUN(work_without_output_is_done_in_turns);
  TEST_RUN(writer_fails);
  TEST_RUN(much_is_read_at_once);
  TEST_RUN(writer_fails_where_the_body_is_broken);
  TEST_RUN(allocations_fail);
  TEST_RUN(budget);
  TEST_RUN(table_of_decoders);
  return test_end();
}
