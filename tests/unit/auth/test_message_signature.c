/* tests/unit/auth/test_message_signature.c: lists of components, the text of RFC 9421 appendix B.2.6, and
 * keys. Whole requests are verified by tests/e2e/test_message_signature.py. */
#include "auth/sign/message_signature.h"
#include "base/buf.h"

#include "test.h"

static struct mote_account *account(void)
{
  return mote_mem_process();
}

static void expect(struct mote_buf *b, CURLcode rc, const char *want)
{
  CHECK(!rc || test_mem.failed);
  if(!rc)
    CHECK_STR(b->ptr, want);
}

/* want: the list as Signature-Input has it, NULL: refused. */
static void reads(const char *text, const char *want)
{
  struct mote_signed_params params = {0, {"", 0}, "x"};
  struct mote_signed_list list;
  CURLcode rc = mote_signed_read(&list, text);
  struct mote_buf out;
  char whole[600];
  CHECK(rc == (want ? CURLE_OK : CURLE_BAD_FUNCTION_ARGUMENT));
  if(rc || !want)
    return;
  mote_buf_init(&out, account(), MOTE_PART_OTHER, 4096);
  snprintf(whole, sizeof whole, "(%s);created=0;keyid=\"\";alg=\"x\"", want);
  rc = mote_signed_put_params(&list, &params, &out);
  expect(&out, rc, whole);
  mote_buf_close(&out);
}

TEST(lists)
{
  reads("method authority path query", "\"@method\" \"@authority\" \"@path\" \"@query\"");
  reads(" \tpath  method ", "\"@path\" \"@method\"");
  reads("X-A: method: method", "\"x-a\" \"method\" \"@method\"");
  reads("a: b: c: d: e: f: g: h: i: j: k: l: m: n: o: p:",
        "\"a\" \"b\" \"c\" \"d\" \"e\" \"f\" \"g\" \"h\" \"i\" \"j\" \"k\" \"l\" \"m\" \"n\" \"o\" \"p\"");
  reads("a: b: c: d: e: f: g: h: i: j: k: l: m: n: o: p: q:", NULL);
  reads("", NULL);
  reads("  ", NULL);
  reads("@method", NULL);
  reads("METHOD", NULL);
  reads("method method", NULL);
  reads("a: A:", NULL);
  reads("host", NULL);
  reads(":", NULL);
  reads("a\":", NULL);
  reads("a:b:", NULL);
  reads("\xe4:", NULL);
}

static void read_default(bool query, const char *want)
{
  struct mote_signed_params params = {0, {"", 0}, "x"};
  struct mote_signed_list list;
  struct mote_buf out;
  CURLcode rc;
  mote_buf_init(&out, account(), MOTE_PART_OTHER, 4096);
  mote_signed_default(&list, query);
  rc = mote_signed_put_params(&list, &params, &out);
  expect(&out, rc, want);
  mote_buf_close(&out);
}

TEST(defaults)
{
  read_default(false, "(\"@method\" \"@authority\" \"@path\");created=0;keyid=\"\";alg=\"x\"");
  read_default(true, "(\"@method\" \"@authority\" \"@path\" \"@query\");created=0;keyid=\"\";alg=\"x\"");
}

/* RFC 9421 appendix B.2.6, with the parameter alg. */
TEST(text)
{
  static const char *const values[] = {"Tue, 20 Apr 2021 02:07:55 GMT", "POST", "/foo", "example.com",
                                       "application/json", "18"};
  static const char *const params_text =
    "(\"date\" \"@method\" \"@path\" \"@authority\" \"content-type\" \"content-length\");created=1618884473;"
    "keyid=\"test-key-ed25519\";alg=\"ed25519\"";
  static const char *const want =
    "\"date\": Tue, 20 Apr 2021 02:07:55 GMT\n\"@method\": POST\n\"@path\": /foo\n"
    "\"@authority\": example.com\n\"content-type\": application/json\n"
    "\"content-length\": 18\n\"@signature-params\": ";
  struct mote_signed_params params = {1618884473, {"test-key-ed25519", 16}, "ed25519"};
  struct mote_signed_list list;
  struct mote_buf out, covered;
  char whole[800];
  CURLcode rc;
  unsigned i;
  mote_buf_init(&out, account(), MOTE_PART_OTHER, 4096);
  mote_buf_init(&covered, account(), MOTE_PART_OTHER, 4096);
  CHECK(!mote_signed_read(&list, "Date: method path authority content-type: Content-Length:"));
  rc = mote_signed_put_params(&list, &params, &out);
  expect(&out, rc, params_text);
  for(i = 0; i < list.count && !rc; i++) {
    rc = mote_signed_put_name(&list.item[i], &covered);
    rc = rc ? rc : mote_buf_add_str(&covered, values[i]);
    rc = rc ? rc : mote_buf_add(&covered, "\n", 1);
  }
  if(!rc)
    rc = mote_signed_put_end(mote_slice_of(params_text), &covered);
  snprintf(whole, sizeof whole, "%s%s", want, params_text);
  expect(&covered, rc, whole);
  mote_buf_close(&out);
  mote_buf_close(&covered);
}

static void names_key(const char *keyid, const char *want)
{
  struct mote_signed_params params = {7, mote_slice_of(keyid), "x"};
  struct mote_signed_list list;
  struct mote_buf out;
  CURLcode rc;
  char whole[100];
  mote_buf_init(&out, account(), MOTE_PART_OTHER, 4096);
  CHECK(!mote_signed_read(&list, "path"));
  rc = mote_signed_put_params(&list, &params, &out);
  CHECK(want || rc == CURLE_BAD_FUNCTION_ARGUMENT || test_mem.failed);
  snprintf(whole, sizeof whole, "(\"@path\");created=7;keyid=\"%s\";alg=\"x\"", want ? want : "");
  if(want)
    expect(&out, rc, whole);
  mote_buf_close(&out);
}

TEST(names_of_keys)
{
  names_key("a b;c=\x7e", "a b;c=~");
  names_key("\"\\", "\\\"\\\\");
  names_key("a\r\nb", NULL);
  names_key("\x7f", NULL);
  names_key("\xc3\xa4", NULL);
}

static void reads_key(const char *digits, size_t len, const char *want)
{
  struct mote_buf key;
  CURLcode rc;
  mote_buf_init(&key, account(), MOTE_PART_OTHER, 64);
  rc = mote_signed_read_key(digits, &key);
  CHECK(test_mem.failed || rc == (want ? CURLE_OK : CURLE_BAD_FUNCTION_ARGUMENT));
  if(!rc && want)
    CHECK(key.len == len && !memcmp(key.ptr, want, len));
  mote_buf_close(&key);
}

TEST(keys)
{
  reads_key("00fFaB", 3, "\x00\xff\xab");
  reads_key("", 0, NULL);
  reads_key("0", 0, NULL);
  reads_key("0g", 0, NULL);
  reads_key("g0", 0, NULL);
  reads_key("00 11", 0, NULL);
}

static void everything(void)
{
  test_lists();
  test_defaults();
  test_text();
  test_names_of_keys();
  test_keys();
}

TEST(survives)
{
  run_with_failures(everything);
}

/* A NUL is no character of a token, and every text may meet the ceiling. */
TEST(ceilings)
{
  struct mote_signed_params params = {0, {"a\"b", 3}, "x"};
  struct mote_signed_list list;
  struct mote_buf out;
  size_t limit, whole;
  CHECK_INT(mote_signed_read(&list, "method x-a:"), CURLE_OK);
  mote_buf_init(&out, account(), MOTE_PART_OTHER, 4096);
  CHECK_INT(mote_signed_put_params(&list, &params, &out), CURLE_OK);
  whole = out.len;
  mote_buf_close(&out);
  for(limit = 1; limit < whole; limit++) {
    mote_buf_init(&out, account(), MOTE_PART_OTHER, limit);
    CHECK_INT(mote_signed_put_params(&list, &params, &out), CURLE_TOO_LARGE);
    mote_buf_close(&out);
  }
  for(limit = 1; limit < 26; limit++) {
    mote_buf_init(&out, account(), MOTE_PART_OTHER, limit);
    CHECK_INT(mote_signed_put_end(mote_slice_of("(abc)"), &out), CURLE_TOO_LARGE);
    mote_buf_close(&out);
  }
}

int main(void)
{
  TEST_RUN(lists);
  TEST_RUN(defaults);
  TEST_RUN(text);
  TEST_RUN(names_of_keys);
  TEST_RUN(keys);
  TEST_RUN(survives);
  TEST_RUN(ceilings);
  return test_end();
}
