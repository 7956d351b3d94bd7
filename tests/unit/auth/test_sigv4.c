/* tests/unit/auth/test_sigv4.c: the words of CURLOPT_AWS_SIGV4, dates, names, and signatures: those of the
 * test suite that AWS has published (named as there), and others that another implementation has computed.
 * Whole requests are compared with libcurl by tests/e2e/test_sigv4.py. */
#include "auth/sign/sigv4.h"

#include "test.h"

#define EMPTY "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

/* ---- words ---- */

static void words(const char *text, const char *host, CURLcode rc, const char *expected)
{
  struct mote_sigv4_words w;
  CURLcode got = mote_sigv4_parse(&w, text, mote_slice_of(host));
  char out[300] = "";
  CHECK(got == rc);
  if(got == CURLE_BAD_FUNCTION_ARGUMENT)
    return;
  snprintf(out, sizeof out, "%.*s,%.*s,%.*s,%.*s", (int)w.provider1.len, w.provider1.ptr,
           (int)w.provider2.len, w.provider2.ptr, (int)w.region.len,
           w.region.len ? w.region.ptr : "", (int)w.service.len,
           w.service.len ? w.service.ptr : "");
  CHECK_STR(out, expected);
}

#define A64 "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

TEST(words_are_read)
{
  words("aws:amz:eu:s3", "x", CURLE_OK, "aws,amz,eu,s3");
  words("", "s3.eu.example.com", CURLE_OK, "aws,amz,eu,s3");
  words("one", "s3.eu.example.com", CURLE_OK, "one,one,eu,s3");
  words("one:two", "S3.Eu.example.com", CURLE_OK, "one,two,Eu,S3");
  words("one:two:r", "s3.eu.example.com", CURLE_OK, "one,two,r,s3");
  words("one::r:s", "s3.eu.example.com", CURLE_OK, "one,one,eu,s3");
  words("one:two::s", "s3.eu.example.com", CURLE_OK, "one,two,eu,s3");
  words("one:two:r:", "s3.eu.example.com", CURLE_OK, "one,two,r,s3");
  words("a:b:c:d:e", "x", CURLE_OK, "a,b,c,d");
  words(A64 ":b:c:d", "x", CURLE_OK, A64 ",b,c,d");
  words("a:" A64 "a:c:d", "s.r.x", CURLE_OK, "a,a,r,s");
}

TEST(digests)
{
  char out[MOTE_SIGV4_HEX];
  mote_sigv4_digest(mote_slice_of(""), out);
  CHECK_MEM(out, sizeof out, EMPTY, (size_t)MOTE_SIGV4_HEX);
  mote_sigv4_digest(mote_slice_of("abc"), out);
  CHECK_MEM(out, sizeof out, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
            (size_t)MOTE_SIGV4_HEX);
}

TEST(stores)
{
  struct mote_sigv4_words w;
  CHECK_INT(mote_sigv4_parse(&w, "aws:amz:eu:s3", mote_slice_of("x")), CURLE_OK);
  CHECK(mote_sigv4_is_s3(&w));
  CHECK_INT(mote_sigv4_parse(&w, "aws:amz:eu:iam", mote_slice_of("x")), CURLE_OK);
  CHECK(!mote_sigv4_is_s3(&w));
  CHECK_INT(mote_sigv4_parse(&w, "osc:amz:eu:s3", mote_slice_of("x")), CURLE_OK);
  CHECK(!mote_sigv4_is_s3(&w));
}

TEST(words_are_missing)
{
  words(":amz", "s3.eu.example.com", CURLE_BAD_FUNCTION_ARGUMENT, "");
  words(A64 "a:amz:r:s", "s3.eu.example.com", CURLE_BAD_FUNCTION_ARGUMENT, "");
  words("aws", "", CURLE_URL_MALFORMAT, "aws,aws,,");
  words("aws", "localhost", CURLE_URL_MALFORMAT, "aws,aws,,");
  words("aws:amz:r", "localhost", CURLE_URL_MALFORMAT, "aws,amz,r,");
  words("aws", "example.com", CURLE_URL_MALFORMAT, "aws,aws,,example");
  words("aws:amz:r", "example.com", CURLE_OK, "aws,amz,r,example");
  words("aws", ".a.b", CURLE_URL_MALFORMAT, "aws,aws,,");
  words("aws", "a..b", CURLE_URL_MALFORMAT, "aws,aws,,a");
  words("aws", A64 "a.r.com", CURLE_URL_MALFORMAT, "aws,aws,,");
  words("aws", "s." A64 "a.com", CURLE_URL_MALFORMAT, "aws,aws,,s");
}

/* ---- names ---- */

TEST(names)
{
  struct mote_sigv4_words w;
  char out[MOTE_SIGV4_NAME];
  CHECK(!mote_sigv4_parse(&w, "Aws:aMZ:r:s3", mote_slice_of("x")));
  CHECK(mote_sigv4_is_s3(&w));
  CHECK(mote_sigv4_date_name(&w, out) == 10);
  CHECK_STR(out, "X-Amz-Date");
  CHECK(mote_sigv4_payload_name(&w, out) == 20);
  CHECK_STR(out, "x-aMZ-content-sha256");
  out[mote_sigv4_algorithm(&w, out)] = 0;
  CHECK_STR(out, "AWS4-HMAC-SHA256");
  CHECK(!mote_sigv4_parse(&w, "aws:amz:r:S3", mote_slice_of("x")) && mote_sigv4_is_s3(&w));
  CHECK(!mote_sigv4_parse(&w, "one:amz:r:s3", mote_slice_of("x")) && !mote_sigv4_is_s3(&w));
  CHECK(!mote_sigv4_parse(&w, A64 ":" A64 ":" A64 ":" A64, mote_slice_of("x")));
  CHECK(!mote_sigv4_is_s3(&w));
  CHECK(mote_sigv4_date_name(&w, out) < sizeof out);
  CHECK(mote_sigv4_payload_name(&w, out) < sizeof out);
  CHECK(mote_sigv4_algorithm(&w, out) < sizeof out);
}

static void date(int64_t seconds, const char *expected)
{
  char out[MOTE_SIGV4_DATE + 1] = "";
  mote_sigv4_print_date(seconds, out);
  CHECK_STR(out, expected);
}

TEST(dates)
{
  date(0, "19700101T000000Z");
  date(1440938160, "20150830T123600Z");
  date(951782399, "20000228T235959Z");
  date(951782400, "20000229T000000Z");
  date(951868800, "20000301T000000Z");
  date(4107542400, "21000301T000000Z");
  date(4107542399, "21000228T235959Z");
  date(1767225599, "20251231T235959Z");
  date(253402300799, "99991231T235959Z");
}

/* ---- signatures ---- */

/* A request. Fields have a line each, parted by "\n". */
struct request {
  const char *words, *method, *path, *query, *fields, *payload, *secret, *date;
};

static const struct request published = {
  "aws:amz:us-east-1:service", "GET", "/", "", "", EMPTY, "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
  "20150830T123600Z"
};

static unsigned split(const char *lines, struct mote_sigv4_item *out)
{
  unsigned n = 0;
  while(*lines) {
    size_t len = strcspn(lines, "\n");
    size_t name = strcspn(lines, ":");
    out[n].name.ptr = lines;
    out[n].name.len = name;
    out[n].value.ptr = lines + name + 1;
    out[n].value.len = len - name - 1;
    out[n].order = n;
    n++;
    lines += len + (lines[len] == '\n');
  }
  return n;
}

static void signs(const struct request *r, const char *signed_fields, const char *expected)
{
  static const char common[] = "Host:example.amazonaws.com\nX-Amz-Date:20150830T123600Z\n";
  struct mote_sigv4_item fields[20], params[20];
  struct mote_sigv4 s = {.fields = fields, .params = params};
  char lines[1024], out[MOTE_SIGV4_HEX + 1] = "", names[400] = "";
  struct mote_hmac key;
  unsigned i;
  snprintf(lines, sizeof lines, "%s%s", *r->date ? common : "Host:example.amazonaws.com\n", r->fields);
  CHECK(!mote_sigv4_parse(&s.words, r->words, mote_slice_of("")));
  s.method = mote_slice_of(r->method);
  s.path = mote_slice_of(r->path);
  s.query = mote_slice_of(r->query);
  s.date = mote_slice_of(r->date);
  s.payload = mote_slice_of(r->payload);
  s.secret = mote_slice_of(r->secret);
  s.field_count = split(lines, fields);
  CHECK(mote_sigv4_count(s.query) <= 20);
  mote_sigv4_make_key(&s, &key);
  mote_sigv4_sign(&s, &key, out);
  CHECK_STR(out, expected);
  for(i = 0; i < s.field_count; i++)
    if(!mote_sigv4_repeats(&s, i))
      snprintf(names + strlen(names), sizeof names - strlen(names), "%s%.*s", i ? ";" : "",
               (int)fields[i].name.len, fields[i].name.ptr);
  CHECK_STR(names, signed_fields);
}

TEST(published_signatures)
{
  struct request r = published;
  /* get-vanilla */
  signs(&r, "Host;X-Amz-Date",
        "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31");
  r.query = "Param2=value2&Param1=value1"; /* get-vanilla-query-order-key-case */
  signs(&r, "Host;X-Amz-Date",
        "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500");
  r.query = "";
  r.path = "/-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"; /* get-unreserved */
  signs(&r, "Host;X-Amz-Date",
        "07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f");
  r.path = "/\xe1\x88\xb4"; /* get-utf8 */
  signs(&r, "Host;X-Amz-Date",
        "8318018e0b0f223aa2bbf98705b62bb787dc9c0e678f255a891fd03141be5d85");
  r.path = "/";
  r.fields = "My-Header1:value2\nMy-Header1:value2\nMy-Header1:value1"; /* get-header-key-duplicate */
  signs(&r, "Host;My-Header1;X-Amz-Date",
        "c9d5ea9f3f72853aea855b47ea873832890dbdd183b4468f858259531a5138ea");
  r.fields = "My-Header1: value1\nMy-Header2: \"a   b   c\""; /* get-header-value-trim */
  signs(&r, "Host;My-Header1;My-Header2;X-Amz-Date",
        "acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736");
  r.fields = "";
  r.method = "POST"; /* post-vanilla */
  signs(&r, "Host;X-Amz-Date",
        "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b");
  r.fields = "Content-Type:application/x-www-form-urlencoded"; /* post-x-www-form-urlencoded */
  r.payload = "9095672bbd1f56dfc5b65f3e153adc8731a4a654192329106275f4c7b24d0b6e";
  signs(&r, "Content-Type;Host;X-Amz-Date",
        "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a");
}

/* A secret of more than a block; a path that is sent encoded; values in need of everything. */
TEST(signatures)
{
  struct request r = {
    "aws:amz:us-east-1:s3", "PUT", "/a%20b/+c", "b=%2f&a&a=+&&A==", "zz:\nAa: x \t y \naA:z",
    "UNSIGNED-PAYLOAD",
    "kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk", "20150830T123600Z"
  };
  signs(&r, "Aa;Host;X-Amz-Date;zz",
        "66b56455c08fee6555ac004c5172700171f338f51cee71fbe63afca53acccced");
  r.words = "Test:amz:r:es";
  r.secret = published.secret;
  signs(&r, "Aa;Host;X-Amz-Date;zz",
        "c8d7df1b2197c8a2a5741c82aac1c2ad6e4918362564bfccc7a18804ae887ff3");
}

/* An application that removes the date gets what libcurl sends, too. */
TEST(no_date)
{
  struct request r = published;
  r.date = "";
  signs(&r, "Host",
        "92e1423758c604f3e994b76914e0192251dba8a26ab7bb4e06d084fdb0ff0098");
}

/* Sorting: however many parameters and fields come in which order, the signature is the same. */
TEST(order)
{
  enum { MANY = 200 };
  static struct mote_sigv4_item fields[MANY], params[MANY];
  static char names[MANY][8], query[2][MANY * 8];
  char out[2][MOTE_SIGV4_HEX];
  struct mote_hmac key;
  unsigned n, i, turn;
  for(n = 0; n < MANY; n += 1 + n / 7) {
    for(turn = 0; turn < 2; turn++) {
      struct mote_sigv4 s = {.fields = fields, .params = params, .field_count = n};
      CHECK(!mote_sigv4_parse(&s.words, "a:b:c:d", mote_slice_of("")));
      query[turn][0] = 0;
      for(i = 0; i < n; i++) {
        unsigned k = turn ? n - 1 - i : i;
        snprintf(names[i], sizeof names[i], "f%u", k * 7919 % 1009);
        fields[i].name = fields[i].value = mote_slice_of(names[i]);
        fields[i].order = i;
        snprintf(query[turn] + strlen(query[turn]), 8, "p%u&", k * 7919 % 1009);
      }
      s.query = mote_slice_of(query[turn]);
      CHECK(mote_sigv4_count(s.query) == n);
      mote_sigv4_make_key(&s, &key);
      mote_sigv4_sign(&s, &key, out[turn]);
      for(i = 1; i < n; i++)
        CHECK(strcmp(fields[i - 1].name.ptr, fields[i].name.ptr) < 0);
    }
    CHECK(!memcmp(out[0], out[1], sizeof out[0]));
  }
}

int main(void)
{
  TEST_RUN(words_are_read);
  TEST_RUN(digests);
  TEST_RUN(stores);
  TEST_RUN(words_are_missing);
  TEST_RUN(names);
  TEST_RUN(dates);
  TEST_RUN(published_signatures);
  TEST_RUN(signatures);
  TEST_RUN(no_date);
  TEST_RUN(order);
  return test_end();
}
