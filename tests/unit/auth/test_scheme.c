/* tests/unit/auth/test_scheme.c: challenges taken apart, the choice of a scheme, the fields of Basic and
 * Bearer, and what is remembered. */
#include "auth/memory.h"
#include "auth/scheme.h"
#include "base/buf.h"

#include "test.h"

#include <curl/curl.h>

static struct mote_auth_login login_of(const char *user, const char *password)
{
  struct mote_auth_login login = {.user = mote_slice_of(user), .password = mote_slice_of(password)};
  return login;
}

/* Each challenge as "name[name=value|…]". */
static void takes_apart(const char *field, const char *expected)
{
  struct mote_slice rest = mote_slice_of(field);
  struct mote_auth_challenge c;
  char got[400];
  size_t at = 0;
  got[0] = 0;
  while(mote_auth_next_challenge(&rest, &c)) {
    struct mote_slice name, value;
    at += (size_t)snprintf(got + at, sizeof got - at, "%.*s[", (int)c.name.len, c.name.ptr);
    while(mote_auth_next_param(&c.params, &name, &value))
      at += (size_t)snprintf(got + at, sizeof got - at, "%.*s=%.*s|", (int)name.len, name.ptr, (int)value.len,
                             value.ptr);
    at += (size_t)snprintf(got + at, sizeof got - at, "]");
  }
  CHECK_STR(got, expected);
}

TEST(challenges)
{
  takes_apart("Basic", "Basic[]");
  takes_apart(" , Basic ,, Digest", "Basic[]Digest[]");
  takes_apart("Basic realm=\"a, Digest b=c\"", "Basic[realm=\"a, Digest b=c\"|]");
  takes_apart("Digest realm=\"a\\\", x\" , nonce = b,qop=\"auth,auth-int\", Basic realm=r",
              "Digest[realm=\"a\\\", x\"|nonce=b|qop=\"auth,auth-int\"|]Basic[realm=r|]");
  takes_apart("Negotiate abc==, Basic", "Negotiate[abc==|]Basic[]");
  takes_apart("realm=x, Basic a=b", "Basic[a=b|]");
  takes_apart("Digest a=\"open, Basic", "Digest[a=\"open, Basic|]");
  takes_apart("Digest a=\"x\\", "Digest[a=\"x\\|]");
  takes_apart("Negotiate abc, Basic", "Negotiate[abc=|]Basic[]");
  takes_apart("Digest a b=c", "Digest[a=b=c|]");
  takes_apart("Digest a=\"b\" c=d,e=\"f\"\tg=h , Basic", "Digest[a=\"b\"|c=d|e=\"f\"|g=h|]Basic[]");
  takes_apart("", "");
  takes_apart(" , ", "");
}

TEST(bits)
{
  struct mote_slice rest = mote_slice_of("BASIC a=b, negotiate, Unknown x=y, NTLM");
  struct mote_auth_challenge c;
  CHECK(mote_auth_next_challenge(&rest, &c) && c.bit == CURLAUTH_BASIC && c.scheme);
  CHECK(mote_auth_next_challenge(&rest, &c) && c.bit == CURLAUTH_NEGOTIATE);
  CHECK(mote_auth_next_challenge(&rest, &c) && !c.bit && !c.scheme);
  CHECK(mote_auth_next_challenge(&rest, &c) && c.bit == CURLAUTH_NTLM && !c.scheme);
  CHECK(!mote_auth_next_challenge(&rest, &c));
}

static void unquotes(const char *text, const char *expected)
{
  struct mote_slice value = mote_slice_of(text);
  bool ok = mote_auth_unquote(&value);
  CHECK(ok == (expected != NULL));
  if(ok && expected)
    CHECK_MEM(value.ptr, value.len, expected, strlen(expected));
}

TEST(values)
{
  unquotes("", "");
  unquotes("a", "a");
  unquotes("\"\"", "");
  unquotes("\"a\\\"b\tc\"", "a\\\"b\tc");
  unquotes("\"", NULL);
  unquotes("\"a", NULL);
  unquotes("\"a\\", NULL);
  unquotes("\"a\"b", NULL);
  unquotes("a\"", NULL);
  unquotes("a\\", NULL);
  unquotes("a\x01", NULL);
  unquotes("a\x7f", NULL);
}

TEST(texts_that_do_not_fit)
{
  struct mote_buf b;
  mote_buf_init(&b, mote_mem_process(), MOTE_PART_TRANSFER, 2);
  CHECK_INT(mote_auth_put_plain(&b, mote_slice_of("%41b"), true), CURLE_TOO_LARGE);
  CHECK_INT(mote_auth_put_plain(&b, mote_slice_of("abc"), false), CURLE_TOO_LARGE);
  CHECK_INT(mote_auth_put_plain(&b, mote_slice_of(""), true), CURLE_OK);
  CHECK_INT(b.len, 0);
  mote_buf_close(&b);
}

TEST(choice)
{
  struct mote_auth_login login = login_of("u", "");
  const struct mote_auth_scheme *s = mote_auth_choose(~0UL, &login);
  CHECK(s && (s->bit & mote_auth_built()) && !s->token);
  s = mote_auth_choose(CURLAUTH_BASIC | CURLAUTH_BEARER, &login);
  CHECK(s && s->bit == CURLAUTH_BASIC);
  login.token = mote_slice_of("t");
  s = mote_auth_choose(CURLAUTH_BASIC | CURLAUTH_BEARER, &login);
  CHECK(s && s->bit == CURLAUTH_BEARER);
  login = login_of("", "");
  CHECK(!mote_auth_choose(~0UL, &login));
  login.ticket = true; /* an empty user is the one of the system's ticket */
  s = mote_auth_choose(~0UL, &login);
  CHECK(!s == !(mote_auth_built() & CURLAUTH_NEGOTIATE) && (!s || s->bit == CURLAUTH_NEGOTIATE));
  login = login_of("", "p");
  CHECK(!mote_auth_choose(0, &login) && mote_auth_choose(CURLAUTH_BASIC, &login));
}

/* ---- Basic and Bearer ---- */

static void writes(const struct mote_auth_login *login, unsigned long bit, size_t limit, const char *expected)
{
  const struct mote_auth_scheme *s = mote_auth_choose(bit, login);
  struct mote_auth_request r = {.login = login};
  struct mote_buf b;
  CURLcode rc;
  if(!CHECK(s != NULL))
    return;
  mote_buf_init(&b, mote_mem_process(), MOTE_PART_TRANSFER, limit);
  rc = mote_buf_add(&b, "> ", 2);
  if(!rc)
    rc = s->put(NULL, &r, &b);
  if(!rc && CHECK(expected != NULL))
    CHECK_STR(b.ptr, expected);
  else if(rc) {
    CHECK(rc == CURLE_OUT_OF_MEMORY || (rc == CURLE_TOO_LARGE && !expected));
    CHECK_INT(b.len, b.ptr ? 2 : 0);
  }
  mote_buf_close(&b);
}

static void fields(void)
{
  struct mote_auth_login login = login_of("Aladdin", "open sesame");
  writes(&login, CURLAUTH_BASIC, 100, "> Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==");
  writes(&login, CURLAUTH_BASIC, 37, "> Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==");
  writes(&login, CURLAUTH_BASIC, 36, NULL);
  login = login_of("u", "");
  writes(&login, CURLAUTH_BASIC, 100, "> Basic dTo=");
  login = login_of("u%41", "%zz");
  writes(&login, CURLAUTH_BASIC, 100, "> Basic dSU0MToleno=");
  login.user_coded = true;
  login.password_coded = true;
  writes(&login, CURLAUTH_BASIC, 100, "> Basic dUE6JXp6");
  login.token = mote_slice_of("tok");
  writes(&login, CURLAUTH_BEARER, 100, "> Bearer tok");
  writes(&login, CURLAUTH_BEARER, 11, NULL);
}

TEST(fields_of_basic_and_bearer)
{
  run_with_failures(fields);
}

/* ---- what is remembered ---- */

static void remember(void)
{
  struct mote_auth_place place = {mote_slice_of("h.test"), 80, false}, other = place;
  struct mote_auth_login login = login_of("u", "p");
  const struct mote_auth_scheme *basic = mote_auth_choose(CURLAUTH_BASIC, &login);
  struct mote_auth_memory *m = mote_auth_memory_new(mote_mem_process(), basic, &place, &login);
  if(!m)
    return;
  CHECK(m->choice == basic && !m->state);
  other.host = mote_slice_of("H.TEST");
  CHECK(mote_auth_memory_is_of(m, &place) && mote_auth_memory_is_of(m, &other));
  other.host = mote_slice_of("i.test");
  CHECK(!mote_auth_memory_is_of(m, &other));
  other.host = mote_slice_of("h.tes");
  CHECK(!mote_auth_memory_is_of(m, &other));
  other = place;
  other.port = 81;
  CHECK(!mote_auth_memory_is_of(m, &other));
  other = place;
  other.tls = true;
  CHECK(!mote_auth_memory_is_of(m, &other));
  CHECK(mote_auth_memory_knows(m, &login));
  login = login_of("up", "");
  CHECK(!mote_auth_memory_knows(m, &login));
  login = login_of("u", "q");
  CHECK(!mote_auth_memory_knows(m, &login));
  login = login_of("u", "p");
  login.user_coded = true;
  CHECK(!mote_auth_memory_knows(m, &login));
  login.user_coded = false;
  login.password_coded = true;
  CHECK(!mote_auth_memory_knows(m, &login));
  mote_auth_memory_free(mote_mem_process(), m);
  mote_auth_memory_free(mote_mem_process(), NULL);
}

TEST(memory)
{
  run_with_failures(remember);
}

int main(void)
{
  TEST_RUN(challenges);
  TEST_RUN(bits);
  TEST_RUN(values);
  TEST_RUN(texts_that_do_not_fit);
  TEST_RUN(choice);
  TEST_RUN(fields_of_basic_and_bearer);
  TEST_RUN(memory);
  return test_end();
}
