/* tests/unit/codec/test_netrc.c: netrc files whole and in pieces, and every allocation failing. What each
 * file means is compared with libcurl by tests/e2e/test_netrc.py. */
#include "codec/files/netrc.h"

#include "test.h"

#define LONGEST 600

/* Reads a file in pieces. `expected`: "login:password", NULL: nothing is found. */
static CURLcode search(const char *file, size_t len, size_t piece, const char *host, const char *user,
                       const char *expected)
{
  struct mote_slice any = {NULL, 0};
  struct mote_netrc n;
  CURLcode rc = CURLE_OK;
  size_t at = 0;
  mote_netrc_init(&n, mote_mem_process(), mote_slice_of(host), user ? mote_slice_of(user) : any);
  while(at < len && !rc) {
    size_t some = piece < len - at ? piece : len - at;
    rc = mote_netrc_feed(&n, file + at, some);
    at += some;
  }
  if(!rc)
    rc = mote_netrc_end(&n);
  if(!rc) {
    char got[LONGEST];
    snprintf(got, sizeof got, "%.*s:%.*s", (int)n.login.len, n.login.len ? n.login.ptr : "",
             (int)n.password.len, n.password.len ? n.password.ptr : "");
    CHECK(n.found == (expected != NULL));
    if(n.found && expected)
      CHECK_STR(got, expected);
  }
  mote_netrc_close(&n);
  return rc;
}

static void finds(const char *file, const char *host, const char *user, const char *expected)
{
  size_t piece, len = strlen(file);
  for(piece = 1; piece <= len + 1; piece++)
    CHECK_INT(search(file, len, piece, host, user, expected), CURLE_OK);
}

TEST(entries)
{
  static const char two[] =
    "machine h login a password 1\nmachine h login b password 2\ndefault login d password 3";
  finds(two, "h", NULL, "a:1");
  finds(two, "H", "b", "b:2");
  finds(two, "h", "d", "d:3");
  finds(two, "h", "c", NULL);
  finds(two, "other", NULL, "d:3");
  finds("machine h\nmachine h login \"\" password \"\"\nmachine h password p", "h", NULL, ":p");
  finds("machine h login a password 1 login b password 2", "h", "a", "a:1");
  finds("machine h login a password 1 login b password 2", "h", NULL, "b:2");
  finds("machine h login a password 1 login b password 2", "h", "b", "b:2");
  finds("machine h password 1 login b", "h", "b", "b:1");
  finds("machine h login A password 1", "h", "a", NULL);
  finds("machine h login abc password 1", "h", "a", NULL);
  finds("machine h password 1", "h", "u", ":1");
  finds("machine h login \"\" password p", "h", "", ":p");
  finds("machine h login a machine", "h", NULL, "a:");
  finds("login a password 1", "h", NULL, NULL);
  finds("", "h", NULL, NULL);
}

TEST(words)
{
  finds("machine h login \"a b\" password \"\\\"\\\\\\n\\x\"", "h", NULL, "a b:\"\\\nx");
  finds("machine h login \"a\\tb\" password \"\\r\"", "h", NULL, "a\tb:\r");
  finds("#machine h login x\nmachine h login #a password b#c # password d\n", "h", NULL, "#a:b#c");
  finds("machine h \"password\" x login a", "h", NULL, "a:");
  finds("machine h account login login a", "h", NULL, "a:");
  finds("macdef x\nmachine h login x\r\n\r\nmachine h login a", "h", NULL, "a:");
  finds("machine h login a macdef x\npassword p\n\npassword q", "h", NULL, "a:");
  finds("macdef\n\nmachine h login a", "h", NULL, "a:");
  CHECK_INT(search("machine h login a \0 password p", 31, 31, "h", NULL, "a:"), CURLE_OK);
  CHECK_INT(search("machine h login a\0x password p", 31, 31, "h", NULL, "a:"), CURLE_OK);
}

TEST(errors)
{
  char file[MOTE_NETRC_WORD + 40] = "machine h login ";
  CHECK_INT(search("machine x login \"a\nmachine h login a", 36, 5, "h", NULL, NULL), CURLE_READ_ERROR);
  CHECK_INT(search("machine h login \"a\\", 19, 5, "h", NULL, NULL), CURLE_READ_ERROR);
  memset(file + 16, 'x', MOTE_NETRC_WORD + 1);
  CHECK_INT(search(file, 16 + MOTE_NETRC_WORD + 1, 100, "h", "x", NULL), CURLE_TOO_LARGE);
  CHECK_INT(search(file, 16 + MOTE_NETRC_WORD, 100, "h", "x", NULL), CURLE_OK);
}

static void scenario(void)
{
  static const char file[] = "machine h login user password secret\nmachine i";
  CURLcode rc = search(file, sizeof file - 1, 7, "h", NULL, "user:secret");
  CHECK(!rc || (rc == CURLE_OUT_OF_MEMORY && test_mem.failed));
  rc = search(file, sizeof file - 11, 7, "h", NULL, "user:secret"); /* up to the password */
  CHECK(!rc || (rc == CURLE_OUT_OF_MEMORY && test_mem.failed));
}

TEST(survives)
{
  run_with_failures(scenario);
}

int main(void)
{
  TEST_RUN(entries);
  TEST_RUN(words);
  TEST_RUN(errors);
  TEST_RUN(survives);
  return test_end();
}
