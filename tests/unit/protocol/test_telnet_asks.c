/* When TELNET asks the read callback, in the simulated world (src/port/sim/sim.h), where time passes in waits
 * alone.
 * Needs wait_sets, telnet, !small, posix.
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

static const struct mote_addr here = { .family = MOTE_FAMILY_IP4, .port = 23, .ip = { 10, 0, 0, 1 } };

/* A session, as its three sides see it. */
static struct session {
  /* The server answers each piece with "ok", at once or after a while, and leaves after `lines` of them. */
  const char *greets;
  mote_time thinks;
  unsigned lines, answered;
  size_t received; /* bytes */
  /* The read callback gives these, one a call; "" is 0 bytes. After the last one it has nothing any more. */
  const char *const *gives;
  size_t calls;
  size_t seen[16];    /* by call: bytes that the write callback had got before */
  mote_time when[16]; /* by call: microseconds since the beginning */
  mote_time begun;
  size_t written;     /* bytes that the write callback has got */
} session;

/* ---- the server ---- */

static void asks_accepted(struct mote_sim_peer *p)
{
  size_t len = strlen(session.greets);
  CHECK_INT(mote_sim_peer_write(p, session.greets, len), len);
}

static void asks_answer(struct mote_sim_peer *p)
{
  CHECK_INT(mote_sim_peer_write(p, "ok", 2), 2);
  if(++session.answered == session.lines)
    mote_sim_peer_close(p);
}

static void asks_readable(struct mote_sim_peer *p)
{
  char bytes[4096];
  size_t len = mote_sim_peer_read(p, bytes, sizeof bytes);
  if(!len || bytes[0] == '\xff') /* a command */
    return;
  session.received += len;
  if(session.thinks)
    mote_sim_peer_wait(p, session.thinks);
  else
    asks_answer(p);
}

static const struct mote_sim_service server = {
  .accepted = asks_accepted, .readable = asks_readable, .due = asks_answer,
};

/* ---- the application ---- */

static size_t asks_give(char *room, size_t size, size_t count, void *arg)
{
  const char *bytes = *session.gives ? *session.gives++ : "";
  size_t n = strlen(bytes), at = session.calls++;
  (void)arg;
  if(at < 16) {
    session.seen[at] = session.written;
    session.when[at] = mote_port_now() - session.begun;
  }
  n = n < size * count ? n : size * count;
  memcpy(room, bytes, n);
  return n;
}

static size_t asks_write(char *bytes, size_t size, size_t count, void *arg)
{
  (void)bytes;
  (void)arg;
  session.written += size * count;
  return size * count;
}

/* Runs the session for at most `seconds`. */
static CURLcode asks_run(const char *greets, unsigned lines, const char *const *gives, long seconds)
{
  CURL *easy;
  CURLcode rc;
  session.greets = greets;
  session.lines = lines;
  session.gives = gives;
  mote_sim_begin(1);
  mote_sim_listen(&here, &server, NULL);
  session.begun = mote_port_now();
  easy = curl_easy_init();
  curl_easy_setopt(easy, CURLOPT_URL, "telnet://10.0.0.1");
  curl_easy_setopt(easy, CURLOPT_READFUNCTION, asks_give);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, asks_write);
  curl_easy_setopt(easy, CURLOPT_TIMEOUT, seconds);
  rc = curl_easy_perform(easy);
  curl_easy_cleanup(easy);
  CHECK_INT(mote_sim_end(), 0);
  return rc;
}

/* A callback that blocks, as one does that asks a user, holds up nothing that the server has said before. */
TEST(delivers_what_the_server_says_before_it_asks)
{
  static const char *const gives[] = { "me\n", "secret\n", "bye\n", NULL };
  session = (struct session){ .thinks = 50 * MOTE_MS };
  CHECK_INT(asks_run("login: ", 3, gives, 20), CURLE_OK);
  CHECK(session.calls >= 3); /* and perhaps a call beside the server's end */
  CHECK_INT(session.seen[0], 7);
  CHECK_INT(session.seen[1], 9);
  CHECK_INT(session.seen[2], 11);
  CHECK_INT(session.written, 13);
}

/* 0 means that there is nothing now. */
TEST(asks_again_after_nothing)
{
  static const char *const gives[] = { "", "", "hello\n", NULL };
  session = (struct session){ .thinks = 0 };
  CHECK_INT(asks_run("login: ", 1, gives, 20), CURLE_OK);
  CHECK(session.calls >= 3);
  CHECK_INT(session.when[1] - session.when[0], 100 * MOTE_MS);
  CHECK_INT(session.when[2] - session.when[1], 100 * MOTE_MS);
}

/* It gets as long to speak as it has to answer. */
TEST(asks_beside_a_silent_server)
{
  static const char *const gives[] = { "a", "b", NULL };
  session = (struct session){ .thinks = 10 * MOTE_SECOND };
  CHECK_INT(asks_run("", 2, gives, 1), CURLE_OPERATION_TIMEDOUT);
  CHECK_INT(session.received, 2);
  CHECK(session.calls >= 9 && session.calls <= 10);
  CHECK_INT(session.when[0], 100 * MOTE_MS);
  CHECK_INT(session.when[9], session.calls == 10 ? 1000 * MOTE_MS : 0);
}

/* Commands are no reason to ask: what the server greets with after them is still to come. */
TEST(does_not_ask_after_commands)
{
  static const char *const gives[] = { "me\n", NULL };
  session = (struct session){ .thinks = 0 };
  CHECK_INT(asks_run("\xff\xfe\x01", 1, gives, 20), CURLE_OK);
  CHECK_INT(session.when[0], 100 * MOTE_MS);
}

/* More is likely to be there after a piece that has filled its room. */
TEST(goes_on_at_once_after_a_full_piece)
{
  static char full[20001];
  static const char *const gives[] = { full, full, "end", NULL };
  memset(full, 'f', sizeof full - 1);
  session = (struct session){ .thinks = 10 * MOTE_SECOND };
  CHECK_INT(asks_run("", 9, gives, 1), CURLE_OPERATION_TIMEDOUT);
  CHECK_INT(session.when[0], session.when[1]);
  CHECK_INT(session.when[1], session.when[2]);
  CHECK_INT(session.when[3] - session.when[2], 100 * MOTE_MS);
}

int main(void)
{
  TEST_RUN(asks_again_after_nothing);
  TEST_RUN(asks_beside_a_silent_server);
  TEST_RUN(delivers_what_the_server_says_before_it_asks);
  TEST_RUN(does_not_ask_after_commands);
  TEST_RUN(goes_on_at_once_after_a_full_piece);
  return test_end();
}
