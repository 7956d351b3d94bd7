/* tests/unit/codec/test_imap.c: lines, strings and URLs of IMAP (codec/mail/imap.h).
 * needs: src/codec/mail/imap.c */
#include "codec/mail/imap.h"

#include "test.h"

static bool is(struct mote_slice s, const char *text)
{
  return s.len == strlen(text) && !memcmp(s.ptr, text, s.len);
}

TEST(reads_lines)
{
  static const struct {
    const char *line;
    int kind, status;
    const char *word, *rest;
    int64_t literal;
  } rows[] = {
    {"A001 OK done", MOTE_IMAP_TAGGED, MOTE_IMAP_OK, "OK", "done", -1},
    {"A001 no", MOTE_IMAP_TAGGED, MOTE_IMAP_NO, "no", "", -1},
    {"A001  BAD  x", MOTE_IMAP_TAGGED, MOTE_IMAP_BAD, "BAD", "x", -1},
    {"A0011 OK", MOTE_IMAP_OTHER, 0, "", "", -1},
    {"A002 OK", MOTE_IMAP_OTHER, 0, "", "", -1},
    {"A001", MOTE_IMAP_OTHER, 0, "", "", -1},
    {"* OK [UIDVALIDITY 3] x", MOTE_IMAP_UNTAGGED, MOTE_IMAP_OK, "OK", "[UIDVALIDITY 3] x", -1},
    {"* BYE", MOTE_IMAP_UNTAGGED, MOTE_IMAP_BYE, "BYE", "", -1},
    {"* PREAUTH in", MOTE_IMAP_UNTAGGED, MOTE_IMAP_PREAUTH, "PREAUTH", "in", -1},
    {"* 12 FETCH (BODY[] {5}", MOTE_IMAP_UNTAGGED, 0, "FETCH", "(BODY[] {5}", 5},
    {"* 3 EXISTS", MOTE_IMAP_UNTAGGED, 0, "EXISTS", "", -1},
    {"* ", MOTE_IMAP_UNTAGGED, 0, "", "", -1},
    {"*", MOTE_IMAP_OTHER, 0, "", "", -1},
    {"+ VXNl", MOTE_IMAP_GO_ON, 0, "", "VXNl", -1},
    {"+ ", MOTE_IMAP_GO_ON, 0, "", "", -1},
    {"+", MOTE_IMAP_GO_ON, 0, "", "", -1},
    {"+x", MOTE_IMAP_OTHER, 0, "", "", -1},
    {" FLAGS {3+}", MOTE_IMAP_OTHER, 0, "", "", 3},
    {"{0}", MOTE_IMAP_OTHER, 0, "", "", 0},
    {"{}", MOTE_IMAP_OTHER, 0, "", "", -1},
    {"3}", MOTE_IMAP_OTHER, 0, "", "", -1},
    {"{3", MOTE_IMAP_OTHER, 0, "", "", -1},
    {"{9223372036854775807}", MOTE_IMAP_OTHER, 0, "", "", INT64_MAX},
    {"{9223372036854775808}", MOTE_IMAP_OTHER, 0, "", "", MOTE_IMAP_BAD_LITERAL},
    {"{99999999999999999999999}", MOTE_IMAP_OTHER, 0, "", "", MOTE_IMAP_BAD_LITERAL},
    {"ab}", MOTE_IMAP_OTHER, 0, "", "", -1},
    {"123}", MOTE_IMAP_OTHER, 0, "", "", -1},
    {"a12}", MOTE_IMAP_OTHER, 0, "", "", -1},
    {"", MOTE_IMAP_OTHER, 0, "", "", -1},
  };
  size_t n;
  for(n = 0; n < sizeof rows / sizeof rows[0]; n++) {
    struct mote_imap_line l;
    mote_imap_read(&l, mote_slice_of(rows[n].line), "A001");
    if(!CHECK(l.kind == rows[n].kind && l.status == rows[n].status && is(l.word, rows[n].word) &&
              is(l.rest, rows[n].rest)) || !CHECK_INT(l.literal, rows[n].literal))
      fprintf(stderr, "  in \"%s\"\n", rows[n].line);
  }
}

TEST(words_and_no_tag)
{
  struct mote_slice rest = mote_slice_of("  a  b"), word;
  struct mote_imap_line l;
  CHECK(mote_imap_next_word(&rest, &word) && is(word, "a") && is(rest, "b"));
  mote_imap_read(&l, mote_slice_of("A001 OK"), "");
  CHECK_INT(l.kind, MOTE_IMAP_OTHER);
}

TEST(finds_response_codes)
{
  struct mote_slice value;
  CHECK(mote_imap_code(mote_slice_of("[uidvalidity 17] x"), "UIDVALIDITY", &value) && is(value, "17"));
  CHECK(!mote_imap_code(mote_slice_of("[UIDVALIDITY 17"), "UIDVALIDITY", &value));
  CHECK(!mote_imap_code(mote_slice_of("[UIDNEXT 17]"), "UIDVALIDITY", &value));
  CHECK(!mote_imap_code(mote_slice_of("[UIDVALIDITY]"), "UIDVALIDITY", &value));
  CHECK(!mote_imap_code(mote_slice_of("[HIGHESTMODSEQ 17] x"), "UIDVALIDITY", &value));
  CHECK(!mote_imap_code(mote_slice_of("x [UIDVALIDITY 1]"), "UIDVALIDITY", &value));
  CHECK(!mote_imap_code(mote_slice_of(""), "UIDVALIDITY", &value));
}

TEST(writes_strings)
{
  static const char *const rows[][2] = {
    {"INBOX", "INBOX"}, {"", "\"\""}, {"a b", "\"a b\""}, {"a\"b\\c", "\"a\\\"b\\\\c\""},
    {"(", "\"(\""}, {"a{1}", "\"a{1}\""}, {"50%", "\"50%\""}, {"*", "\"*\""}, {"]", "\"]\""},
    {"\xc3\xa4", "\"\xc3\xa4\""}, {"a/b.c-d+e=f", "a/b.c-d+e=f"},
  };
  size_t n;
  for(n = 0; n < sizeof rows / sizeof rows[0]; n++) {
    char out[64];
    size_t len = mote_imap_put_string(out, mote_slice_of(rows[n][0]), false);
    CHECK(len <= mote_imap_string_most(strlen(rows[n][0])));
    CHECK_MEM(out, len, rows[n][1], strlen(rows[n][1]));
  }
  {
    char out[8];
    CHECK_INT(mote_imap_put_string(out, mote_slice_of("a"), true), 3);
    CHECK_MEM(out, (size_t)3, "\"a\"", (size_t)3);
  }
}

TEST(reads_urls)
{
  struct mote_imap_url u;
  CHECK(mote_imap_read_url(&u, mote_slice_of("")) && !u.mailbox.len);
  CHECK(mote_imap_read_url(&u, mote_slice_of("a/b/")) && is(u.mailbox, "a/b"));
  CHECK(mote_imap_read_url(&u, mote_slice_of("a;UIDVALIDITY=3/;uid=7/;Section=1.2/;PARTIAL=0.10")));
  CHECK(is(u.mailbox, "a") && is(u.uidvalidity, "3") && is(u.uid, "7") && is(u.section, "1.2"));
  CHECK(is(u.partial, "0.10") && !u.mailindex.len);
  CHECK(mote_imap_read_url(&u, mote_slice_of("a/;MAILINDEX=1")));
  CHECK(is(u.mailbox, "a") && is(u.mailindex, "1"));
  CHECK(mote_imap_read_url(&u, mote_slice_of(";UID=1")) && !u.mailbox.len && is(u.uid, "1"));
  CHECK(!mote_imap_read_url(&u, mote_slice_of("a;FOO=1")));
  CHECK(!mote_imap_read_url(&u, mote_slice_of("a;UID=1;UID=2")));
  CHECK(!mote_imap_read_url(&u, mote_slice_of("a;UID=")));
  CHECK(!mote_imap_read_url(&u, mote_slice_of("a;")));
  CHECK(!mote_imap_read_url(&u, mote_slice_of("a;UID")));
}

int main(void)
{
  TEST_RUN(reads_lines);
  TEST_RUN(words_and_no_tag);
  TEST_RUN(finds_response_codes);
  TEST_RUN(writes_strings);
  TEST_RUN(reads_urls);
  return test_end();
}
