/* tests/unit/auth/test_digest.c: the examples of RFC 7616 and RFC 2617 as far as the client's nonce is not in
 * them, what a challenge leads to, counts, and every allocation failing. */
#include "auth/memory.h"
#include "auth/scheme.h"
#include "base/buf.h"

#include "test.h"

#include <curl/curl.h>

static const struct mote_auth_scheme *scheme(void)
{
  struct mote_auth_login login = {.user = mote_slice_of("u")};
  return mote_auth_choose(CURLAUTH_DIGEST, &login);
}

static enum mote_auth_verdict judge(void **state, const char *params, bool sent, CURLcode *rc)
{
  enum mote_auth_verdict verdict = MOTE_AUTH_UNUSABLE;
  *rc = scheme()->read(state, mote_slice_of(params), sent, mote_mem_process(), &verdict);
  return verdict;
}

static void close_state(void *state)
{
  if(state)
    scheme()->close(state, mote_mem_process());
}

static void leads_to(const char *params, bool sent, enum mote_auth_verdict expected)
{
  void *state = NULL;
  CURLcode rc;
  CHECK_INT(judge(&state, params, sent, &rc), expected);
  CHECK_INT(rc, CURLE_OK);
  CHECK((state != NULL) == (expected != MOTE_AUTH_UNUSABLE));
  close_state(state);
}

/* What is remembered of a login gives the state of its scheme back with itself. */
TEST(remembered_with_its_state)
{
  struct mote_auth_place place = {mote_slice_of("h"), 80, false};
  struct mote_auth_login login = {.user = mote_slice_of(""), .password = mote_slice_of("p")};
  struct mote_auth_memory *m = mote_auth_memory_new(mote_mem_process(), scheme(), &place, &login);
  CURLcode rc;
  CHECK_INT(judge(&m->state, "realm=r, nonce=n", false, &rc), MOTE_AUTH_ANSWER);
  CHECK(m->state != NULL && mote_auth_memory_knows(m, &login));
  mote_auth_memory_free(mote_mem_process(), m);
}

TEST(verdicts)
{
  leads_to("realm=r, nonce=n", false, MOTE_AUTH_ANSWER);
  leads_to("nonce=\"\"", false, MOTE_AUTH_ANSWER);
  leads_to("realm=r, nonce=n", true, MOTE_AUTH_REFUSED);
  leads_to("realm=r, nonce=n, stale=true", true, MOTE_AUTH_ANSWER);
  leads_to("realm=r, nonce=n, stale=\"True\"", true, MOTE_AUTH_ANSWER);
  leads_to("realm=r, nonce=n, stale=false", true, MOTE_AUTH_REFUSED);
  leads_to("realm=r", false, MOTE_AUTH_UNUSABLE);
  leads_to("", false, MOTE_AUTH_UNUSABLE);
  leads_to("nonce=n, algorithm=MD4", false, MOTE_AUTH_UNUSABLE);
  leads_to("nonce=n, algorithm=md5", false, MOTE_AUTH_ANSWER);
  leads_to("nonce=n, algorithm=-sess", false, MOTE_AUTH_UNUSABLE);
  leads_to("nonce=n, algorithm=SHA-256-sess", false, MOTE_AUTH_UNUSABLE);
  leads_to("nonce=n, algorithm=SHA-256-sess, qop=auth", false, MOTE_AUTH_ANSWER);
  leads_to("nonce=n, qop=\"auth-int\"", false, MOTE_AUTH_UNUSABLE);
  leads_to("nonce=n, qop=\"auth-int,auth\"", false, MOTE_AUTH_ANSWER);
  leads_to("nonce=n, qop=\"other\"", false, MOTE_AUTH_ANSWER);
  leads_to("nonce=\"n", false, MOTE_AUTH_UNUSABLE);
  leads_to("nonce=\"n\\\"", false, MOTE_AUTH_UNUSABLE);
  leads_to("nonce=\"n\" x", false, MOTE_AUTH_UNUSABLE);
  leads_to("nonce=\"n\\\\\"", false, MOTE_AUTH_ANSWER);
  leads_to("nonce=n\"x", false, MOTE_AUTH_UNUSABLE);
  leads_to("nonce=n, algorithm=SHA-256", false, MOTE_AUTH_ANSWER);
  leads_to("nonce=n, domain=x", false, MOTE_AUTH_ANSWER);
}

/* Texts that no server sends take no memory. */
TEST(ceiling)
{
  static char params[5000] = "nonce=";
  memset(params + 6, 'x', 4096);
  leads_to(params, false, MOTE_AUTH_ANSWER);
  memset(params + 6, 'x', 4097);
  leads_to(params, false, MOTE_AUTH_UNUSABLE);
}

static CURLcode put(void *state, const char *user, const char *password, struct mote_buf *out)
{
  struct mote_auth_login login = {
    .user = mote_slice_of(user), .password = mote_slice_of(password), .user_coded = true,
    .password_coded = true
  };
  struct mote_auth_request r = {
    .method = mote_slice_of("GET"), .target = mote_slice_of("/dir/index.html"), .login = &login
  };
  return scheme()->put(state, &r, out);
}

/* RFC 2617 section 3.5 without qop, which is RFC 2069's answer; then with a user's digest in its place. */
static void examples(void)
{
  static const char params[] =
    "realm=\"testrealm@host.com\", nonce=\"dcd98b7102dd2f0e8b11d0f600bfb0c093\", "
    "opaque=\"5ccc069c403ebaf9f0171e9517f40e41\"";
  void *state = NULL;
  struct mote_buf b;
  CURLcode rc;
  mote_buf_init(&b, mote_mem_process(), MOTE_PART_TRANSFER, 1000);
  if(judge(&state, params, false, &rc) == MOTE_AUTH_ANSWER && !rc) {
    rc = put(state, "Muf%61sa", "Circle%4ffLife", &b);
    if(!rc)
      CHECK_STR(b.ptr, "Digest username=\"Mufasa\", realm=\"testrealm@host.com\", "
                "nonce=\"dcd98b7102dd2f0e8b11d0f600bfb0c093\", uri=\"/dir/index.html\", "
                "response=\"1949323746fe6a43ef61f9606e7febea\", opaque=\"5ccc069c403ebaf9f0171e9517f40e41\"");
    else
      CHECK(rc == CURLE_OUT_OF_MEMORY && !b.len);
    CHECK(put(state, "a%0ab", "", &b) != CURLE_OK);
    mote_buf_clear(&b);
    rc = put(state, "", "", &b);
    CHECK(rc == CURLE_OUT_OF_MEMORY || !strncmp(b.ptr, "Digest username=\"\", ", 20));
  }
  close_state(state);
  mote_buf_close(&b);
}

TEST(examples_of_the_rfc)
{
  run_with_failures(examples);
}

static CURLcode put_plain_login(void *state, const char *user, size_t limit, const char *expected)
{
  struct mote_auth_login login = {.user = mote_slice_of(user), .password = mote_slice_of("p")};
  struct mote_auth_request r = {
    .method = mote_slice_of("GET"), .target = mote_slice_of("/"), .login = &login
  };
  struct mote_buf b;
  CURLcode rc;
  mote_buf_init(&b, mote_mem_process(), MOTE_PART_TRANSFER, limit);
  rc = scheme()->put(state, &r, &b);
  CHECK(!rc || !b.len);
  if(!rc && expected)
    CHECK_MEM(b.ptr, strlen(expected), expected, strlen(expected));
  mote_buf_close(&b);
  return rc;
}

/* Quotes and backslashes are quoted again, in the realm too, whose quoted pairs are not part of the
 * digest. */
TEST(quoted_texts)
{
  void *state = NULL;
  CURLcode rc;
  size_t limit;
  CHECK_INT(judge(&state, "realm=\"a\\\"b\", nonce=n", false, &rc), MOTE_AUTH_ANSWER);
  CHECK_INT(judge(&state, "realm=\"a\\\"b\", nonce=n, stale=true", true, &rc), MOTE_AUTH_ANSWER);
  CHECK_INT(put_plain_login(state, "u\"\\\tv", 1000, "Digest username=\"u\\\"\\\\\tv\", realm=\"a\\\"b\""),
            CURLE_OK);
  CHECK_INT(put_plain_login(state, "", 1000, "Digest username=\"\", "), CURLE_OK);
  CHECK_INT(put_plain_login(state, "a\x7f", 1000, NULL), CURLE_BAD_FUNCTION_ARGUMENT);
  for(limit = 1; limit < 100; limit++)
    CHECK_INT(put_plain_login(state, "u\"v", limit, NULL), CURLE_TOO_LARGE);
  close_state(state);
}

/* The count goes up with each field that was written, and with no other. */
static void counts(void)
{
  static const char params[] = "nonce=n, qop=auth, userhash=true, algorithm=SHA-512-256-sess";
  void *state = NULL;
  struct mote_buf b, small;
  CURLcode rc;
  mote_buf_init(&b, mote_mem_process(), MOTE_PART_TRANSFER, 1000);
  mote_buf_init(&small, mote_mem_process(), MOTE_PART_TRANSFER, 150);
  if(judge(&state, params, false, &rc) == MOTE_AUTH_ANSWER && !rc) {
    rc = put(state, "u", "p", &b);
    CHECK(put(state, "u", "p", &small) != CURLE_OK && !small.len);
    if(!rc) {
      CHECK(strstr(b.ptr, "nc=00000001") != NULL);
      mote_buf_clear(&b);
      rc = put(state, "u", "p", &b);
      CHECK(rc || strstr(b.ptr, "nc=00000002"));
    }
  }
  close_state(state);
  mote_buf_close(&b);
  mote_buf_close(&small);
}

TEST(count)
{
  run_with_failures(counts);
}

int main(void)
{
  TEST_RUN(remembered_with_its_state);
  TEST_RUN(verdicts);
  TEST_RUN(ceiling);
  TEST_RUN(examples_of_the_rfc);
  TEST_RUN(quoted_texts);
  TEST_RUN(count);
  return test_end();
}
