/* tests/unit/codec/test_ldap.c: messages of LDAP (codec/ldap/ldap.h).
 * needs: src/codec/ldap/ber.c src/codec/ldap/ldap.c src/codec/ldap/ldap_filter.c src/codec/ldap/ldap_text.c
 *        src/base/buf.c src/base/text.c src/base/digest/base64.c */
#include "base/buf.h"
#include "codec/ldap/ber.h"
#include "codec/ldap/ldap.h"

#include "test.h"

static struct mote_account account;
static struct mote_buf out;

/* What was written as hexadecimal; a length in four bytes, all below 128, is "L" and its last byte. */
static const char *written(void)
{
  static char text[4000];
  char *at = text;
  size_t i;
  for(i = 0; i < out.len && at < text + sizeof text - 8; i++) {
    const uint8_t *p = (const uint8_t *)out.ptr + i;
    bool length = out.len - i > 4 && p[0] == 0x84 && !p[1] && !p[2] && !p[3];
    at += sprintf(at, length ? "L%02x" : "%02x", (unsigned)(length ? p[4] : p[0]));
    i += length ? 4 : 0;
  }
  *at = 0;
  return text;
}

static struct mote_ber_writer writer(size_t limit)
{
  struct mote_ber_writer w = {.out = &out};
  mote_buf_close(&out);
  mote_buf_init(&out, &account, MOTE_PART_OTHER, limit);
  return w;
}

static bool filter(const char *text)
{
  struct mote_ber_writer w = writer(100000);
  bool good = mote_ldap_put_filter(&w, mote_slice_of(text));
  CHECK(!w.rc);
  return good;
}

TEST(filters)
{
  static const char *const rows[][2] = {
    {"(a=*)", "870161"},
    {"a=b", "a3L0a" "040161" "04L0162"},
    {"(a=)", "a3L09" "040161" "04L00"},
    {"(a>=b)", "a5L0a" "040161" "04L0162"},
    {"(a<=b)", "a6L0a" "040161" "04L0162"},
    {"(a~=b)", "a8L0a" "040161" "04L0162"},
    {"(a=\\2A\\29)", "a3L0b" "040161" "04L022a29"},
    {"(a=b*)", "a4L10" "040161" "30L07" "80L0162"},
    {"(a=*b)", "a4L10" "040161" "30L07" "82L0162"},
    {"(a=*b*)", "a4L10" "040161" "30L07" "81L0162"},
    {"(&)", "a0L00"},
    {"(&(a=*)(b=*))", "a0L06" "870161" "870162"},
    {"(|(a=*)(!(b=*)))", "a1L0c" "870161" "a2L03" "870162"},
    {"(a:=b)", "a9L0a" "820161" "83L0162"},
    {"(:1.2:=b)", "a9L0c" "8103312e32" "83L0162"},
    {"(a:dn:=b)", "a9L0d" "820161" "83L0162" "8401ff"},
    {"(a:dnx:=b)", "a9L0f" "8103646e78" "820161" "83L0162"},
    {"(a:DN:c:=b)", "a9L10" "810163" "820161" "83L0162" "8401ff"},
  };
  size_t i;
  for(i = 0; i < sizeof rows / sizeof *rows; i++) {
    CHECK(filter(rows[i][0]));
    CHECK_STR(written(), rows[i][1]);
  }
  mote_buf_close(&out);
}

TEST(filters_that_are_wrong)
{
  static const char *const wrong[] = {
    "", "(", "()", "(a)", "a", "(a=b", "(a=b))", "(!(a=b)(a=b))", "(!)", "(&(a=b)x)", "(=b)", "(a=\\)",
    "(a=\\4)", "(a=\\zz)", "( a=b)", "(:=b)", "(:dn:=b)", "(a::=b)",
    "(a:1 2:=b)", "(a=b)(a=b)", "(~=b)", "((a=b))",
    "(a=\\4g)", "(a{=b)", "(a?=b)", "(a=\\zz*b)", "(&(a=b)"};
  char deep[200];
  size_t i;
  for(i = 0; i < sizeof wrong / sizeof *wrong; i++)
    CHECK(!filter(wrong[i]));
  CHECK(!mote_ldap_put_filter(&(struct mote_ber_writer){.out = &out}, (struct mote_slice){"(a\0=b)", 7}));
  CHECK(!mote_ldap_put_filter(&(struct mote_ber_writer){.out = &out}, (struct mote_slice){"(\0a=b)", 7}));
  for(i = 0; i < 31; i++)
    memcpy(deep + 2 * i, "(!", 2);
  strcpy(deep + 62, "(a=b)");
  memset(deep + 67, ')', 31);
  deep[98] = 0;
  CHECK(filter(deep));
  memmove(deep + 2, deep, 99);
  strcat(deep, ")");
  CHECK(!filter(deep));
  mote_buf_close(&out);
}

TEST(requests)
{
  struct mote_ber_writer w = writer(1000);
  struct mote_ldap_search s = {.base = {"dc=x", 4}, .scope = 2, .attributes = {"a,,bc", 5}};
  mote_ldap_put_bind(&w, 1, mote_slice_of("me"), mote_slice_of("pw"));
  CHECK_STR(written(), "30L14" "020101" "60L0b" "020103" "04026d65" "80027077");
  w = writer(1000);
  CHECK(mote_ldap_put_search(&w, 300, &s));
  CHECK_STR(written(), "30L39" "0202012c" "63L2f" "040464633d78" "0a0102" "0a0100" "020100" "020100" "010100"
                       "870b6f626a656374636c617373" "30L07" "040161" "04026263");
  w = writer(1000);
  mote_ldap_put_start_tls(&w, 2);
  CHECK_STR(written(), "30L21" "020102" "77L18" "8016312e332e362e312e342e312e313436362e3230303337");
  w = writer(1000);
  mote_ldap_put_bind(&w, 0x80000000u, mote_slice_of(""), mote_slice_of(""));
  CHECK_STR(written(), "30L14" "02050080000000" "60L07" "020103" "0400" "8000");
  CHECK(!w.rc);
  w = writer(10);
  mote_ldap_put_bind(&w, 1, mote_slice_of("me"), mote_slice_of("pw"));
  CHECK(w.rc == CURLE_TOO_LARGE);
  mote_buf_close(&out);
}

TEST(long_texts_and_wrong_filters)
{
  struct mote_ber_writer w = writer(1000);
  struct mote_ldap_search s = {.base = {"dc=x", 4}, .filter = {"(", 1}};
  char name[200];
  memset(name, 'n', sizeof name);
  mote_ldap_put_bind(&w, 1, (struct mote_slice){name, sizeof name}, mote_slice_of(""));
  CHECK_INT(out.len, 6 + 3 + 6 + 3 + 6 + 200 + 2);
  CHECK_MEM(out.ptr + 18, (size_t)6, "\x04\x84\0\0\0\xc8", (size_t)6);
  w = writer(1000);
  CHECK(!mote_ldap_put_search(&w, 1, &s));
  mote_buf_close(&out);
}

static bool number_of(const char *bytes, size_t len, uint32_t *n)
{
  struct mote_slice rest = {bytes, len};
  return mote_ber_take_number(&rest, MOTE_BER_INTEGER, n);
}

TEST(numbers)
{
  struct mote_slice rest = {"\x30\x80", 2}, inside;
  uint32_t n = 0;
  uint8_t tag;
  CHECK(number_of("\x02\x04\x7f\xff\xff\xff", 6, &n) && n == 0x7fffffff);
  CHECK(number_of("\x02\x05\0\x80\0\0\0", 7, &n) && n == 0x80000000u);
  CHECK(!number_of("\x02\x05\x01\x80\0\0\0", 7, &n));
  CHECK(!number_of("\x02\x06\0\0\0\0\0\x01", 8, &n));
  CHECK(!number_of("\x0a\x01\x05", 3, &n) && !number_of("\x02", 1, &n));
  CHECK(!mote_ber_take(&rest, &tag, &inside)); /* of a length that is found at the end */
}

TEST(lengths)
{
  CHECK(mote_ldap_message_len("", 0) == 0 && mote_ldap_message_len("\x30", 1) == 0);
  CHECK(mote_ldap_message_len("\x30\x05", 2) == 7);
  CHECK(mote_ldap_message_len("\x30\x82\x01", 3) == 0);
  CHECK(mote_ldap_message_len("\x30\x82\x01\x02", 4) == 0x106);
  CHECK(mote_ldap_message_len("\x31", 1) == SIZE_MAX);
  CHECK(mote_ldap_message_len("\x30\x80", 2) == SIZE_MAX && mote_ldap_message_len("\x30\x85", 2) == SIZE_MAX);
  CHECK(mote_ldap_message_len("\x30\x84\xff\xff\xff\xff", 6) == SIZE_MAX);
}

TEST(replies)
{
  static const char bytes[] = "\x30\x0f\x02\x01\x07\x65\x0a\x0a\x01\x20\x04\x00\x04\x03why";
  struct mote_ldap_message m;
  struct mote_ldap_result r;
  size_t i;
  CHECK(mote_ldap_read((struct mote_slice){bytes, 17}, &m) && m.id == 7 && m.op == MOTE_LDAP_SEARCH_RESULT);
  CHECK(mote_ldap_read_result(m.body, &r) && r.code == 32 && mote_slice_is(r.text, "why"));
  for(i = 0; i < 17; i++)
    CHECK(!mote_ldap_read((struct mote_slice){bytes, i}, &m));
  CHECK(!mote_ldap_read((struct mote_slice){"\x30\x05\x02\x01\xff\x42\x00", 7}, &m));
  CHECK(!mote_ldap_read((struct mote_slice){"\x30\x04\x02\x00\x42\x00", 6}, &m));
  CHECK(!mote_ldap_read((struct mote_slice){"\x31\x05\x02\x01\x07\x42\x00", 7}, &m));
  CHECK(!mote_ldap_read((struct mote_slice){"\x30\x03\x02\x01\x07", 5}, &m));
  for(i = 0; i < 10; i++) /* a result is cut */
    CHECK(!mote_ldap_read_result((struct mote_slice){bytes + 7, i}, &r));
  CHECK(!mote_ldap_read_result((struct mote_slice){"\x0a\x01\x00\x05\x00\x04\x00", 7}, &r));
  CHECK(!mote_ldap_read_result((struct mote_slice){"\x0a\x01\x00\x04\x00\x05\x00", 7}, &r));
}

/* BindResponse: what the server's mechanism says comes last, maybe after a referral. */
TEST(credentials)
{
  static const char bytes[] = "\x0a\x01\x0e\x04\x00\x04\x00\xa3\x03\x04\x01u\x87\x02hi";
  struct mote_ldap_result r;
  CHECK(mote_ldap_read_result((struct mote_slice){bytes, 16}, &r) && r.code == MOTE_LDAP_BIND_IN_PROGRESS);
  CHECK(mote_slice_is(r.credentials, "hi"));
  CHECK(mote_ldap_read_result((struct mote_slice){bytes, 12}, &r) && !r.credentials.len);
  CHECK(!mote_ldap_read_result((struct mote_slice){bytes, 15}, &r));
}

TEST(sasl_binds)
{
  struct mote_ber_writer w = writer(1000);
  struct mote_slice none = {NULL, 0};
  mote_ldap_put_sasl_bind(&w, 1, mote_slice_of("A"), NULL);
  CHECK_STR(written(), "30L17" "020101" "60L0e" "020103" "0400" "a3L03" "040141");
  w = writer(1000);
  mote_ldap_put_sasl_bind(&w, 1, mote_slice_of("A"), &none);
  CHECK_STR(written(), "30L19" "020101" "60L10" "020103" "0400" "a3L05" "040141" "0400");
  mote_buf_close(&out);
}

TEST(values)
{
  static const char entry[] =
    "\x04\x00\x30\x14\x30\x08\x04\x01o\x31\x03\x04\x01v\x30\x08\x04\x01m\x31\x03\x04\x01w";
  struct mote_slice body = {entry, sizeof entry - 1}, values, value = {NULL, 0};
  uint8_t tag;
  CHECK(mote_ldap_find_values(body, "M", &values) && mote_ber_take(&values, &tag, &value));
  CHECK(mote_slice_is(value, "w") && !values.len);
  CHECK(mote_ldap_find_values(body, "x", &values) && !values.len);
  while(body.len--)
    CHECK(!mote_ldap_find_values(body, "m", &values));
  CHECK(!mote_ldap_find_values((struct mote_slice){"\x04\x00\x30\x01\x30", 5}, "m", &values));
  CHECK(!mote_ldap_find_values((struct mote_slice){"\x04\x00\x30\x02\x30\x00", 6}, "m", &values));
  CHECK(!mote_ldap_find_values((struct mote_slice){"\x04\x00\x30\x05\x30\x03\x04\x01o", 9}, "m", &values));
}

static const char *text_of(const char *body, size_t len)
{
  mote_buf_close(&out);
  mote_buf_init(&out, &account, MOTE_PART_OTHER, 1000);
  return mote_ldap_add_entry(&out, (struct mote_slice){body, len}) ? NULL : out.ptr;
}

#define TEXT(body) text_of(body, sizeof body - 1)

TEST(entries)
{
  CHECK_STR(TEXT("\x04\x01z\x30\x00"), "DN: z\n\n");
  CHECK_STR(TEXT("\x04\x00\x30\x07\x30\x05\x04\x01z\x31\x00"), "DN:\n\tz:\n\n");
  CHECK_STR(TEXT("\x04\x01z\x30\x0a\x30\x08\x04\x01o\x31\x03\x04\x01v"), "DN: z\n\to: v\n\n\n");
  CHECK_STR(TEXT("\x04\x01z\x30\x0b\x30\x09\x04\x01o\x31\x04\x04\x02 v"), "DN: z\n\to:: IHY=\n\n\n");
  CHECK_STR(TEXT("\x04\x01z\x30\x0b\x30\x09\x04\x01o\x31\x04\x04\x02v\x80"), "DN: z\n\to:: doA=\n\n\n");
  CHECK_STR(TEXT("\x04\x01z\x30\x0b\x30\x09\x04\x01o\x31\x04\x04\x02v "), "DN: z\n\to:: diA=\n\n\n");
  CHECK_STR(TEXT("\x04\x01z\x30\x0b\x30\x09\x04\x01o\x31\x04\x04\x02v\x7f"), "DN: z\n\to:: dn8=\n\n\n");
  CHECK_STR(TEXT("\x04\x01z\x30\x0c\x30\x0a\x04\x01o\x31\x05\x04\x03v\tw"), "DN: z\n\to: v\tw\n\n\n");
  CHECK_STR(TEXT("\x04\x01z\x30\x09\x30\x07\x04\x01o\x31\x02\x04\x00"), "DN: z\n\to:\n\n\n");
  CHECK_STR(TEXT("\x04\x01z\x30\x11\x30\x0f\x04\x08o;binary\x31\x03\x04\x01v"),
            "DN: z\n\to;binary:: dg==\n\n\n");
  CHECK_STR(TEXT("\x04\x01z\x30\x11\x30\x0f\x04\x08surname2\x31\x03\x04\x01v"),
            "DN: z\n\tsurname2: v\n\n\n");
  CHECK(!TEXT("\x04\x01z\x30\x05\x30\x03\x04\x01o"));
  CHECK(!TEXT("") && !TEXT("\x04\x01z") && !TEXT("\x04\x01z\x30\x01\x30"));
  CHECK(!TEXT("\x04\x01z\x30\x02\x30\x00"));
  CHECK(!TEXT("\x04\x01z\x30\x08\x30\x06\x04\x01o\x31\x01\x04"));
  mote_buf_close(&out);
}

/* Wherever the room ends, the code says so. */
TEST(entries_beyond_the_ceiling)
{
  static const char body[] =
    "\x04\x01z\x30\x10\x30\x0e\x04\x01o\x31\x09\x04\x02v \x04\x03vwx";
  size_t limit, whole;
  CHECK_STR(TEXT(body), "DN: z\n\to:: diA=\n\to: vwx\n\n\n");
  whole = out.len;
  for(limit = 1; limit < whole; limit++) {
    mote_buf_close(&out);
    mote_buf_init(&out, &account, MOTE_PART_OTHER, limit);
    CHECK_INT(mote_ldap_add_entry(&out, (struct mote_slice){body, sizeof body - 1}), CURLE_TOO_LARGE);
  }
  mote_buf_close(&out);
}

static void scenario(void)
{
  struct mote_ber_writer w = writer(1000);
  struct mote_ldap_search s = {.base = {"dc=x", 4}, .filter = {"(&(a=b*c)(d=*))", 15}};
  CHECK(mote_ldap_put_search(&w, 1, &s));
  CHECK(!w.rc || w.rc == CURLE_OUT_OF_MEMORY);
  (void)TEXT("\x04\x01z\x30\x0b\x30\x09\x04\x01o\x31\x04\x04\x02 v");
  mote_buf_close(&out);
}

TEST(survives)
{
  run_with_failures(scenario);
}

int main(void)
{
  TEST_RUN(filters);
  TEST_RUN(filters_that_are_wrong);
  TEST_RUN(requests);
  TEST_RUN(long_texts_and_wrong_filters);
  TEST_RUN(numbers);
  TEST_RUN(lengths);
  TEST_RUN(replies);
  TEST_RUN(credentials);
  TEST_RUN(sasl_binds);
  TEST_RUN(values);
  TEST_RUN(entries);
  TEST_RUN(entries_beyond_the_ceiling);
  TEST_RUN(survives);
  return test_end();
}
