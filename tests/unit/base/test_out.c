/* Unit tests of base/out.h: what fits is written, what does not is left out as a whole, and noted. */
#include "base/out.h"
#include "base/text/format.h"

#include "test.h"

static char block[32];

/* Fills the block, so that a byte past the room shows. */
static struct mote_out out_of(size_t room)
{
  memset(block, '#', sizeof block);
  return mote_out_in(block, room);
}

static bool is_whole(const struct mote_out *o, const char *want)
{
  size_t len = strlen(want);
  return !o->cut && o->len == len && !memcmp(o->ptr, want, len) && block[o->room] == '#';
}

static bool is_cut(const struct mote_out *o, const char *want)
{
  size_t len = strlen(want);
  return o->cut && o->len == len && !memcmp(o->ptr, want, len) && block[o->room] == '#';
}

TEST(pieces_are_written)
{
  struct mote_out o = out_of(31);
  mote_out_text(&o, "SIZE ");
  mote_out_slice(&o, mote_slice_of("a/b"));
  mote_out_char(&o, ' ');
  mote_out_lower(&o, mote_slice_of("ABC-x"));
  mote_out_char(&o, ':');
  mote_out_dec(&o, 65535);
  CHECK(is_whole(&o, "SIZE a/b abc-x:65535"));
  CHECK(mote_slice_same(mote_out_written(&o), mote_slice_of("SIZE a/b abc-x:65535")));
}

TEST(nothing_is_written_without_room)
{
  struct mote_out o = mote_out_in(NULL, 0);
  mote_out_bytes(&o, NULL, 0);
  mote_out_text(&o, "");
  mote_out_slice(&o, (struct mote_slice){NULL, 0});
  CHECK(!o.cut && !o.len);
  mote_out_char(&o, 'a');
  mote_out_dec(&o, 1);
  mote_out_format(&o, "%d", 1);
  CHECK(o.cut && !o.len);
}

/* A piece that has exactly the room is written, and one byte more leaves it out. */
TEST(a_piece_fits_or_is_left_out)
{
  struct mote_out o = out_of(8);
  mote_out_text(&o, "1234");
  mote_out_text(&o, "5678");
  CHECK(is_whole(&o, "12345678"));
  o = out_of(7);
  mote_out_text(&o, "1234");
  mote_out_text(&o, "5678");
  CHECK(is_cut(&o, "1234"));
  o = out_of(4);
  mote_out_lower(&o, mote_slice_of("ABCDE"));
  CHECK(is_cut(&o, ""));
  o = out_of(2);
  mote_out_dec(&o, 100);
  CHECK(is_cut(&o, ""));
  o = out_of(3);
  mote_out_dec(&o, 100);
  CHECK(is_whole(&o, "100"));
}

/* What is there is the beginning of what was meant. A shorter piece does not slip in after one that was
 * left out. */
TEST(nothing_follows_what_was_cut)
{
  struct mote_out o = out_of(6);
  mote_out_text(&o, "RNFR ");
  mote_out_text(&o, "name");
  mote_out_char(&o, '!');
  mote_out_dec(&o, 1);
  mote_out_format(&o, "x");
  mote_out_lower(&o, mote_slice_of("Y"));
  CHECK(is_cut(&o, "RNFR "));
}

TEST(numbers_of_all_lengths)
{
  struct mote_out o = out_of(20);
  mote_out_dec(&o, UINT64_MAX);
  CHECK(is_whole(&o, "18446744073709551615"));
  o = out_of(19);
  mote_out_dec(&o, UINT64_MAX);
  CHECK(is_cut(&o, ""));
  o = out_of(31);
  mote_out_dec(&o, 0);
  CHECK(is_whole(&o, "0"));
}

TEST(formats_are_whole_or_left_out)
{
  struct mote_out o = out_of(10);
  mote_out_format(&o, "%s=%05d", "ab", 42);
  CHECK(is_whole(&o, "ab=00042"));
  mote_out_format(&o, "%s-%s", "x", "y");
  CHECK(is_cut(&o, "ab=00042"));
}

TEST(a_text_ends_with_a_nul)
{
  struct mote_out o = out_of(5);
  mote_out_text(&o, "abcd");
  mote_out_end_text(&o);
  CHECK(is_whole(&o, "abcd"));
  CHECK_STR(block, "abcd");
  o = out_of(4);
  mote_out_text(&o, "abcd");
  mote_out_end_text(&o);
  CHECK(is_cut(&o, "abc"));
  CHECK_STR(block, "abc");
}

TEST(numbers_in_network_order)
{
  char room[14];
  struct mote_out o = mote_out_in(room, sizeof room);
  mote_out_16(&o, 0x0102);
  mote_out_32(&o, 0x03040506);
  mote_out_64(&o, UINT64_C(0x0708090a0b0c0d0e));
  CHECK_MEM(room, o.len, "\1\2\3\4\5\6\7\x8\x9\xa\xb\xc\xd\xe", (size_t)14);
  mote_out_16(&o, 1);
  CHECK(o.cut && o.len == 14);
}

/* A text that fills its room loses its last byte to the NUL. */
TEST(ends_a_text_that_fills_the_room)
{
  char room[3];
  struct mote_out o = mote_out_in(room, sizeof room);
  mote_out_text(&o, "abc");
  CHECK(!o.cut);
  mote_out_end_text(&o);
  CHECK(o.cut);
  CHECK_STR(room, "ab");
  CHECK_INT(mote_out_written(&o).len, 2);
}

int main(void)
{
  TEST_RUN(pieces_are_written);
  TEST_RUN(nothing_is_written_without_room);
  TEST_RUN(a_piece_fits_or_is_left_out);
  TEST_RUN(nothing_follows_what_was_cut);
  TEST_RUN(numbers_of_all_lengths);
  TEST_RUN(formats_are_whole_or_left_out);
  TEST_RUN(a_text_ends_with_a_nul);
  TEST_RUN(ends_a_text_that_fills_the_room);
  TEST_RUN(numbers_in_network_order);
  return test_end();
}
