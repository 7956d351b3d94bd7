/* tests/unit/auth/test_negotiate.c: Negotiate without a ticket (auth/negotiate.c). What needs a KDC is in
 * tests/e2e/test_negotiate.py. Needs accounts. */
#include "auth/scheme.h"

#include "base/memory.h"

#include "test.h"

#include <curl/curl.h>

static const struct mote_auth_scheme *negotiate(void)
{
  unsigned i;
  for(i = 0; mote_auth_schemes[i]; i++)
    if(mote_auth_schemes[i]->bit == CURLAUTH_NEGOTIATE)
      return mote_auth_schemes[i];
  return NULL;
}

static const struct mote_auth_scheme *scheme; /* NULL: not in this build */
static struct mote_account account;

/* What the library says follows from files that are not there. */
static void no_ticket(void)
{
  setenv("KRB5_CONFIG", "/dev/null", 1);
  setenv("KRB5CCNAME", "FILE:/nonexistent/ccache", 1);
  setenv("KRB5_CLIENT_KTNAME", "FILE:/nonexistent/keytab", 1);
}

static enum mote_auth_verdict reads(void **state, const char *params, bool sent)
{
  enum mote_auth_verdict v = MOTE_AUTH_UNUSABLE;
  CURLcode rc = scheme->read(state, mote_slice_of(params), sent, &account, &v);
  CHECK(rc == CURLE_OK || (rc == CURLE_OUT_OF_MEMORY && test_mem.failed));
  return v;
}

TEST(challenges)
{
  static const char *const params[] = {"", " ", "YWJj", "!!", "realm=x"};
  void *state = NULL;
  size_t i;
  for(i = 0; i < sizeof params / sizeof *params; i++) {
    CHECK_INT(reads(&state, params[i], false), MOTE_AUTH_ANSWER);
    CHECK_INT(reads(&state, params[i], true), MOTE_AUTH_REFUSED); /* there is no context to continue */
  }
  if(CHECK(state != NULL))
    scheme->close(state, &account);
}

TEST(an_empty_login_is_enough)
{
  struct mote_auth_login login = {.ticket = true};
  CHECK(mote_auth_choose(CURLAUTH_NEGOTIATE | CURLAUTH_BASIC, &login) == scheme);
  CHECK(!mote_auth_choose(CURLAUTH_BASIC, &login));
  login.ticket = false;
  CHECK(!mote_auth_choose(CURLAUTH_NEGOTIATE | CURLAUTH_BASIC, &login));
}

TEST(a_name_does_not_allow_the_ticket)
{
  struct mote_auth_login login = {.user = mote_slice_of("x"), .password = mote_slice_of("y")};
  CHECK(!mote_auth_choose(CURLAUTH_NEGOTIATE, &login));
  CHECK(mote_auth_choose(CURLAUTH_NEGOTIATE | CURLAUTH_BASIC, &login) != scheme);
}

static void scenario(void)
{
  struct mote_auth_request r = {.host = mote_slice_of("localhost")};
  void *state = NULL;
  CURLcode rc = scheme->open(&state, &r, &account);
  CHECK(rc == CURLE_AUTH_ERROR || (rc == CURLE_OUT_OF_MEMORY && test_mem.failed));
  (void)reads(&state, "YWJj", true);
  if(state)
    scheme->close(state, &account);
}

TEST(no_credentials)
{
  run_with_failures(scenario);
}

int main(void)
{
  scheme = negotiate();
  if(!scheme)
    return test_end();
  no_ticket();
  TEST_RUN(challenges);
  TEST_RUN(an_empty_login_is_enough);
  TEST_RUN(a_name_does_not_allow_the_ticket);
  TEST_RUN(no_credentials);
  return test_end();
}
