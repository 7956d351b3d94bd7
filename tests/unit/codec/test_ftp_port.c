/* tests/unit/codec/test_ftp_port.c: texts of CURLOPT_FTPPORT (codec/ftp/ftp_port.h). The rows were compared
 * with curl 8.23, but for "-" with ports, which it looks up as a name. needs: src/codec/ftp/ftp_port.c */
#include "codec/ftp/ftp_port.h"

#include <string.h>

#include "test.h"

static const struct {
  const char *text;
  const char *host;
  int first, last;
} rows[] = {
  {"-", "", 0, 0},
  {"", "", 0, 0},
  {"eth0", "eth0", 0, 0},
  {"192.0.2.1", "192.0.2.1", 0, 0},
  {"curl.se", "curl.se", 0, 0},
  {"eth0:0", "eth0", 0, 0},
  {"192.0.2.1:32000-33000", "192.0.2.1", 32000, 33000},
  {"curl.se:32123", "curl.se", 32123, 32123},
  {":5001", "", 5001, 5001},
  {"-:5001-5002", "", 5001, 5002},
  {"[::1]:1234-4567", "::1", 1234, 4567},
  {"[::1]", "::1", 0, 0},
  {"::1", "::1", 0, 0},
  {"fd00::5:80", "fd00::5:80", 0, 0},
  {"[127.0.0.1]:5", "127.0.0.1", 5, 5},
  /* ports that are none */
  {"a:5010-5000", "a", 0, 0},
  {"a:abc", "a", 0, 0},
  {"a:", "a", 0, 0},
  {"a:70000", "a", 0, 0},
  {"a:99999999999999999999", "a", 0, 0},
  {"a:-5000", "a", 0, 0},
  {"a:5000-", "a", 5000, 5000},
  {"a:5000-x", "a", 5000, 5000},
  {"a:65530-70000", "a", 65530, 65530},
  {"a:5005-5006x", "a", 5005, 5006},
  {"a:5000-5001-7", "a", 5000, 5001},
  {"a:65535", "a", 65535, 65535},
  {"a:0-9", "a", 0, 9},
  {"[::1]5000", "::1", 0, 0},
  {"[::1", "[::1", 0, 0},
};

TEST(rows)
{
  size_t i;
  for(i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct mote_ftp_port p;
    mote_ftp_port_read(rows[i].text, &p);
    CHECK_MEM(p.host.ptr, p.host.len, rows[i].host, strlen(rows[i].host));
    CHECK_INT(p.first, rows[i].first);
    CHECK_INT(p.last, rows[i].last);
  }
}

int main(void)
{
  TEST_RUN(rows);
  return test_end();
}
