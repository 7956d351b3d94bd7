/* tests/unit/codec/test_mime.c: encodings at every cut of the input, and texts in every room. */
#include "codec/mail/mime.h"

#include "test.h"

static char out[4000];

/* Encodes `in` in pieces. place: each piece lies at the end of the room that it is encoded into. */
static size_t encode(const char *name, const char *in, size_t len, size_t piece, bool place, bool *refused)
{
  const struct mote_mime_coding *coding = mote_mime_coding_find(name);
  struct mote_mime_coder c;
  size_t n = 0, at = 0;
  memset(&c, 0, sizeof c);
  do {
    size_t some = piece < len - at ? piece : len - at;
    char *to = out + n;
    const char *from = in + at;
    if(place) {
      char *end = to + MOTE_MIME_ENCODED(some);
      memcpy(end - some, from, some);
      from = end - some;
    }
    at += some;
    n += coding->encode(&c, from, some, at == len, to);
    CHECK(n <= MOTE_MIME_ENCODED(at));
  } while(at < len);
  *refused = c.refused;
  return n;
}

static void encodes(const char *name, const char *in, size_t len, const char *expected)
{
  const struct mote_mime_coding *coding = mote_mime_coding_find(name);
  bool refused;
  for(size_t piece = 1; piece <= len + 1; piece++)
    for(int place = 0; place < 2; place++) {
      size_t n = encode(name, in, len, piece, place, &refused);
      CHECK_MEM(out, n, expected, strlen(expected));
      CHECK(!refused);
      if(coding->size && coding->size(1) > 0)
        CHECK_INT(coding->size((curl_off_t)len), (long)n);
    }
}

TEST(base64)
{
  char line[77];
  char expected[200];
  encodes("base64", "", 0, "");
  encodes("base64", "a", 1, "YQ==");
  encodes("base64", "ab", 2, "YWI=");
  encodes("BASE64", "abc", 3, "YWJj");
  memset(line, 'A', 76);
  line[76] = 0;
  snprintf(expected, sizeof expected, "%s", line);
  encodes("base64", (char[57]){0}, 57, expected);
  snprintf(expected, sizeof expected, "%s\r\nAA==", line);
  encodes("base64", (char[58]){0}, 58, expected);
  CHECK_INT(mote_mime_coding_find("base64")->size(INT64_MAX), -1);
}

TEST(quoted_printable)
{
  static const char *const cases[][2] = {
    {"", ""}, {"a b ", "a b=20"}, {"a \r\nb\t\r\n", "a=20\r\nb=09\r\n"}, {"a\nb\rc", "a=0Ab=0Dc"},
    {"a \n", "a =0A"}, {"\x7f\x1f~!=", "=7F=1F~!=3D"}, {"a\r\r\nb", "a=0D\r\nb"}, {"\r", "=0D"}, {" ", "=20"},
    {"\r\n\r\n", "\r\n\r\n"},
    {"0123456789012345678901234567890123456789012345678901234567890123456789012345",
     "0123456789012345678901234567890123456789012345678901234567890123456789012345"},
    {"01234567890123456789012345678901234567890123456789012345678901234567890123456",
     "012345678901234567890123456789012345678901234567890123456789012345678901234=\r\n56"},
    {"0123456789012345678901234567890123456789012345678901234567890123456789012345\r\n",
     "0123456789012345678901234567890123456789012345678901234567890123456789012345\r\n"},
  };
  for(size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    encodes("quoted-printable", cases[i][0], strlen(cases[i][0]), cases[i][1]);
  CHECK_INT(mote_mime_coding_find("quoted-printable")->size(5), -1);
  CHECK_INT(mote_mime_coding_find("quoted-printable")->size(0), 0);
}

TEST(seven_bits)
{
  bool refused;
  encodes("7bit", "abc\x7f", 4, "abc\x7f");
  encodes("7bit", "", 0, "");
  CHECK_INT((long)encode("7bit", "ab\x80" "cd", 5, 5, true, &refused), 2);
  CHECK(refused);
  CHECK_INT((long)encode("7bit", "ab\x80" "cd", 5, 1, false, &refused), 2);
  CHECK(refused);
}

TEST(no_such_encoding)
{
  CHECK(!mote_mime_coding_find(""));
  CHECK(!mote_mime_coding_find("gzip"));
  CHECK(!mote_mime_coding_find("binary")->encode);
  CHECK(!mote_mime_coding_find("8BIT")->encode);
}

/* Writes the name in rooms of that size, one after the other. */
static void quoted(const char *name, bool backslash, size_t room, const char *expected, bool refused)
{
  char text[100];
  size_t len = 0;
  struct mote_mime_text t;
  do {
    memset(&t, 0, sizeof t);
    t.to = text + len;
    t.room = room;
    t.skip = len;
    mote_mime_put_quoted(&t, name, backslash);
    CHECK(t.written <= room);
    CHECK(t.refused == refused);
    len += t.written;
  } while(t.written && len < t.total);
  CHECK_MEM(text, len, expected, strlen(expected));
  t = (struct mote_mime_text){.room = 0};
  mote_mime_put_quoted(&t, name, backslash);
  CHECK_INT((long)t.total, (long)strlen(expected));
}

TEST(names)
{
  for(size_t room = 1; room < 30; room++) {
    quoted("", false, room, "\"\"", false);
    quoted("plain", true, room, "\"plain\"", false);
    quoted("a\"b\\c\r\n", false, room, "\"a%22b\\c%0D%0A\"", false);
    quoted("a\"b\\c", true, room, "\"a\\\"b\\\\c\"", false);
  }
  quoted("a\nb", true, 50, "\"a\\\nb\"", true);
  quoted("a\nb\n", true, 50, "\"a\\\nb\\\n\"", true);
}

TEST(texts)
{
  char room[4];
  struct mote_mime_text t = {.to = room, .room = sizeof room};
  mote_mime_puts(&t, "ab");
  mote_mime_puts(&t, "cde");
  CHECK_MEM(room, t.written, "abcd", (size_t)4);
  CHECK_INT(t.total, 5);
}

TEST(types)
{
  CHECK(!mote_mime_type_of(NULL));
  CHECK(!mote_mime_type_of(""));
  CHECK(!mote_mime_type_of("html"));
  CHECK_STR(mote_mime_type_of(".html"), "text/html");
  CHECK_STR(mote_mime_type_of("a.b.JPEG"), "image/jpeg");
  CHECK(!mote_mime_type_of("a.jpeg.gz"));
}

TEST(fields)
{
  struct curl_slist second = {.data = (char[]){"content-type:  \ta/b"}, .next = NULL};
  struct curl_slist other = {.data = (char[]){"Accept: x"}, .next = &second};
  struct curl_slist first = {.data = (char[]){"Content-Types: x"}, .next = &other};
  CHECK_STR(mote_mime_field(&first, "Content-Type"), "a/b");
  CHECK(!mote_mime_field(&first, "Content"));
  CHECK(!mote_mime_field(NULL, "Content-Type"));
}

int main(void)
{
  TEST_RUN(base64);
  TEST_RUN(quoted_printable);
  TEST_RUN(seven_bits);
  TEST_RUN(no_such_encoding);
  TEST_RUN(names);
  TEST_RUN(texts);
  TEST_RUN(types);
  TEST_RUN(fields);
  return test_end();
}
