/* What FTP waits for while the data connection is being made, in the simulated world (src/port/sim/sim.h),
 * which ends a program whose waits come to nothing.
 * Needs wait_sets, ftp, !small, posix.
 *
 * needs: src/port/sim/world.c src/port/sim/stream.c src/port/sim/wait.c src/port/sim/names.c
 * needs: src/port/sim/file.c src/port/sim/absent.c */
#include <curl/curl.h>

#include "port/port.h"
#include "port/sim/sim.h"
#include "test.h"

_Noreturn void mote_sim_broken(const char *rule)
{
  fprintf(stderr, "broken: %s\n", rule);
  exit(1);
}

static const struct mote_addr here = { .family = MOTE_FAMILY_IP4, .port = 21, .ip = { 10, 0, 0, 1 } };

/* What the server says a second after its answer to EPSV, or NULL: it closes the control connection. The data
 * connection is never answered. */
static const char *said;

static void ftp_waits_say(struct mote_sim_peer *p, const char *line)
{
  CHECK_INT(mote_sim_peer_write(p, line, strlen(line)), strlen(line));
}

static void ftp_waits_accepted(struct mote_sim_peer *p)
{
  ftp_waits_say(p, "220 hello\r\n");
}

static void ftp_waits_readable(struct mote_sim_peer *p)
{
  char line[200];
  size_t len = mote_sim_peer_read(p, line, sizeof line);
  if(!len)
    return;
  if(!memcmp(line, "EPSV", 4)) {
    mote_sim_weather()->silent = 1000;
    ftp_waits_say(p, "229 (|||2000|)\r\n");
    mote_sim_peer_wait(p, MOTE_SECOND);
  }
  else
    ftp_waits_say(p, memcmp(line, "PWD", 3) ? "230 ok\r\n" : "257 \"/\"\r\n");
}

static void ftp_waits_due(struct mote_sim_peer *p)
{
  if(said)
    ftp_waits_say(p, said);
  else
    mote_sim_peer_close(p);
}

static const struct mote_sim_service server = {
  .accepted = ftp_waits_accepted, .readable = ftp_waits_readable, .due = ftp_waits_due,
};

/* Asks for a file, and returns how that ended, and after how many seconds. */
static CURLcode ftp_waits_get(const char *says, mote_time *seconds)
{
  CURL *easy;
  CURLcode rc;
  mote_time begun;
  said = says;
  mote_sim_begin(1);
  mote_sim_listen(&here, &server, NULL);
  begun = mote_port_now();
  easy = curl_easy_init();
  curl_easy_setopt(easy, CURLOPT_URL, "ftp://10.0.0.1/f");
  curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT, 20L);
  rc = curl_easy_perform(easy);
  *seconds = (mote_port_now() - begun) / MOTE_SECOND;
  curl_easy_cleanup(easy);
  CHECK_INT(mote_sim_end(), 0);
  return rc;
}

/* What the control connection brought was not read, and woke every wait. */
TEST(sleeps_after_a_reply_that_nothing_has_asked_for)
{
  mote_time seconds;
  CHECK_INT(ftp_waits_get("120 soon\r\n", &seconds), CURLE_OPERATION_TIMEDOUT);
  CHECK_INT(seconds, 20);
}

TEST(ends_when_the_server_leaves)
{
  mote_time seconds;
  CHECK_INT(ftp_waits_get("421 leaving\r\n", &seconds), CURLE_OPERATION_TIMEDOUT);
  CHECK_INT(seconds, 1);
}

TEST(ends_when_the_control_connection_does)
{
  mote_time seconds;
  CHECK_INT(ftp_waits_get(NULL, &seconds), CURLE_RECV_ERROR);
  CHECK_INT(seconds, 1);
}

int main(void)
{
  TEST_RUN(ends_when_the_control_connection_does);
  TEST_RUN(ends_when_the_server_leaves);
  TEST_RUN(sleeps_after_a_reply_that_nothing_has_asked_for);
  return test_end();
}
