/* tests/unit/auth/test_gss.c: GSS-API without a ticket (auth/gss.h). What needs a KDC is in
 * tests/e2e/test_socks_gss.py. Needs accounts. */
#include "auth/gss.h"

#include "base/memory.h"
#include "base/report.h"
#include "base/text/format.h"

#include "test.h"

#if MOTE_HAS_GSSAPI

static struct mote_account account;
static char text[600]; /* of the last failure */

static void keep_text(struct mote_report *r, const char *fmt, va_list args)
{
  (void)r;
  (void)mote_vsnprintf(text, sizeof text, fmt, args);
}

static const struct mote_report_ops ops = {.fail = keep_text};
static struct mote_report report = {.ops = &ops};

/* What the library says follows from files that are not there. */
static void no_ticket(void)
{
  setenv("KRB5_CONFIG", "/dev/null", 1);
  setenv("KRB5CCNAME", "FILE:/nonexistent/ccache", 1);
  setenv("KRB5_CLIENT_KTNAME", "FILE:/nonexistent/keytab", 1);
}

static struct mote_gss_peer peer_of(const char *service, const char *host)
{
  struct mote_gss_peer p = {.service = mote_slice_of(service), .host = mote_slice_of(host)};
  return p;
}

TEST(the_reason_is_the_librarys)
{
  struct mote_gss_peer p = peer_of("rcmd", "localhost");
  struct mote_slice none = {NULL, 0}, token;
  struct mote_gss *g;
  for(p.mechanism = MOTE_GSS_KERBEROS; p.mechanism <= MOTE_GSS_SPNEGO; p.mechanism++) {
    if(!CHECK_INT(mote_gss_new(&g, &account, &report, &p), CURLE_OK))
      return;
    CHECK_INT(mote_gss_step(g, &report, none, &token), CURLE_AUTH_ERROR);
    CHECK(!mote_gss_is_established(g));
    CHECK(!MOTE_HAS_TEXTS || strstr(text, "GSS-API: No credentials were supplied"));
    CHECK(!MOTE_HAS_TEXTS || strstr(text, "/nonexistent/ccache"));
    mote_gss_close(g);
  }
}

TEST(names)
{
  static char longest[MOTE_GSS_NAME_MAX + 2];
  struct mote_gss_peer p = peer_of("rcmd", longest);
  struct mote_gss *g;
  memset(longest, 'x', MOTE_GSS_NAME_MAX + 1);
  p.host.len = MOTE_GSS_NAME_MAX - 5;
  CHECK_INT(mote_gss_new(&g, &account, &report, &p), CURLE_OK);
  mote_gss_close(g);
  p.host.len++;
  CHECK_INT(mote_gss_new(&g, &account, &report, &p), CURLE_AUTH_ERROR);
  CHECK(!g);
  p = peer_of("special/b.test", longest); /* the host is not used */
  p.whole = true;
  CHECK_INT(mote_gss_new(&g, &account, &report, &p), CURLE_OK);
  mote_gss_close(g);
  mote_gss_close(NULL);
}

static void scenario(void)
{
  struct mote_gss_peer p = peer_of("rcmd", "localhost");
  struct mote_gss *g;
  CURLcode rc = mote_gss_new(&g, &account, &report, &p);
  CHECK(rc == CURLE_OK || (rc == CURLE_OUT_OF_MEMORY && test_mem.failed && !g));
  mote_gss_close(g);
}

TEST(allocations)
{
  run_with_failures(scenario);
}

int main(void)
{
  no_ticket();
  TEST_RUN(the_reason_is_the_librarys);
  TEST_RUN(names);
  TEST_RUN(allocations);
  return test_end();
}

#else

int main(void)
{
  return test_end();
}

#endif
