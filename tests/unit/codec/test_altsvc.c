/* Unit tests of codec/files/altsvc.h: fields and lines. */
#include "base/out.h"
#include "codec/files/altsvc.h"

#include "test.h"

/* All offers of a field as "h1 host port age[!]", ! for persist. */
static void field(const char *text, const char *expected)
{
  struct mote_slice rest = mote_slice_of(text);
  struct mote_altsvc_offer o;
  char got[400] = "";
  size_t len = 0;
  while(mote_altsvc_next(&rest, &o))
    len += (size_t)snprintf(got + len, sizeof got - len, "%sh%d %.*s %d %lld%s", len ? ", " : "", o.protocol,
                            (int)o.host.len, o.host.ptr, o.port, (long long)o.max_age,
                            o.persist ? "!" : "");
  CHECK_STR(got, expected);
  CHECK_INT(rest.len, 0);
}

TEST(fields)
{
  field("h1=\"b.test:7803\"", "h1 b.test 7803 86400");
  field("http/1.1=\"b.test:7803\"", "h1 b.test 7803 86400");
  field(" h3=\":443\"; ma=60 , h2=\":8443\";persist=1;ma=\"7\"", "h3  443 60, h2  8443 7!");
  field("h3-29=\":443\", w=\"x\", h2=\"B.Test.:1\"; foo=bar; ma=abc", "h2 B.Test. 1 86400");
  field("h2=\"[::1]:65535\"; persist=2; ma=0", "h2 ::1 65535 0");
  field("h2=\"a:1\"; ma=99999999999999999999999", "h2 a 1 2147483647");
  field("h2=\"a:1\" h3=\":1\"", "h2 a 1 86400");
  field("h2=\"a:1\"; foo, h3=\":1\"", "h2 a 1 86400");
  field("h2=\"a:1\",clear", "h2 a 1 86400");
  field("h2=\"a-b_c.\xc3\xa4:1\"", "h2 a-b_c.\xc3\xa4 1 86400");
  field("h2=\"[::ffff:1.2.3.4]:1\"", "h2 ::ffff:1.2.3.4 1 86400");
  field("h2=\"a:1\"; ma=", "h2 a 1 86400");
  field("h2=\"a:1\"; w=\"x", "h2 a 1 86400");
  field("h2=\":0\"; foo", "");
  field("h2=\"", "");
  field("clear", "");
  field("", "");
  field(",", "");
  field("h2", "");
  field("h2=", "");
  field("h2=a:1", "");
  field("h2 = \"a:1\"", "");
  field("H2=\"a:1\"", "");
  field("h2=\"a:1", "");
  field("h2=\"a\", h2=\"\", h2=\":\", h2=\":0\", h2=\":65536\", h2=\":1x\", h2=\"a b:1\"", "");
  field("h2=\"[:1\", h2=\"[]:1\"", "");
  CHECK(mote_altsvc_clears(mote_slice_of(" CLEAR ")) && !mote_altsvc_clears(mote_slice_of("clear,")));
}

static void line(const char *text, const char *expected)
{
  struct mote_altsvc_line l;
  char got[MOTE_ALTSVC_LINE_MAX + 1];
  struct mote_out out = mote_out_in(got, sizeof got);
  bool ok = mote_altsvc_read_line(mote_slice_of(text), &l);
  CHECK(ok == (expected != NULL));
  if(!ok || !expected)
    return;
  mote_altsvc_print(&l, &out);
  mote_out_end_text(&out);
  CHECK_STR(got, expected);
}

TEST(lines)
{
  line("h2 a.test 8443 h3 b.test 443 \"20300101 06:18:37\" 1 0",
       "h2 a.test 8443 h3 b.test 443 \"20300101 06:18:37\" 1 0\n");
  line(" h1 a.test. 1 http/1.1 [::1] 65535 \"20300101\" 0 7\r",
       "h1 a.test 1 h1 [::1] 65535 \"20300101 00:00:00\" 0 7\n");
  line("", NULL);
  line("# h1", NULL);
  line("h1", NULL);
  line("h4 a 1 h1 b 1 \"20300101\" 0 0", NULL);
  line("h1 a 0 h1 b 1 \"20300101\" 0 0", NULL);
  line("h1 a 1 h1 b 65536 \"20300101\" 0 0", NULL);
  line("h1 a 1 h1  1 \"20300101\" 0 0", NULL);
  line("h1 a 1 h1 b 1 20300101 0 0", NULL);
  line("h1 a 1 h1 b 1 \"20301301\" 0 0", NULL);
  line("h1 a 1 h1 b 1 \"20300101\" 2 0", NULL);
  line("h1 [x 1 h1 b 1 \"20300101\" 0 0", NULL);
  line("h1 a", NULL);
  line("h1 a 1", NULL);
  line("h1 a 1 h1 b 1 \"20300101\"", NULL);
  line("h1 a 1 h1 b 1 \"20300101\" 0 x", NULL);
  line("h1 a 1 h1 b 1 \"20300101\" 0", NULL);
  line("h1 a 1 h1 b 1 \"20300101\" 0 0 0", NULL);
}

TEST(longest_hosts)
{
  char text[MOTE_ALTSVC_HOST_MAX + 40];
  size_t len;
  for(len = MOTE_ALTSVC_HOST_MAX; len <= MOTE_ALTSVC_HOST_MAX + 1; len++) {
    struct mote_slice rest;
    struct mote_altsvc_offer o;
    memcpy(text, "h2=\"", 4);
    memset(text + 4, 'a', len);
    strcpy(text + 4 + len, ":1\"");
    rest = mote_slice_of(text);
    CHECK(mote_altsvc_next(&rest, &o) == (len == MOTE_ALTSVC_HOST_MAX));
  }
}

int main(void)
{
  TEST_RUN(fields);
  TEST_RUN(lines);
  TEST_RUN(longest_hosts);
  return test_end();
}
