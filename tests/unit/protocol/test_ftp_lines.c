/* What a long line of an FTP server costs until its end comes, in bytes that the program searches and moves.
 * All is in the simulated world (src/port/sim/sim.h).
 * Needs wait_sets, ftp, !small, posix.
 *
 * needs: src/port/sim/world.c src/port/sim/stream.c src/port/sim/wait.c src/port/sim/names.c
 * needs: src/port/sim/file.c src/port/sim/absent.c */
#include <curl/curl.h>

#include "port/port.h"
#include "port/sim/sim.h"
#include "test.h"

#define LINE 60000u    /* bytes of the line */
#define PIECE 100u     /* bytes of it that arrive together */
#define FILE_SIZE 500u /* bytes of the file, which arrive one by one */

_Noreturn void mote_sim_broken(const char *rule)
{
  fprintf(stderr, "broken: %s\n", rule);
  exit(1);
}

/* ---- bytes that were searched and moved ---- */

static size_t searched, moved;

/* Those of the C library, for all of this program. A sanitizer has its own, and nothing is counted then. */
#if defined __linux__ && !defined __clang__ && !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__
void *memchr(const void *s, int byte, size_t len)
{
  const volatile unsigned char *p = s;
  size_t i;
  for(i = 0; i < len && p[i] != (unsigned char)byte; i++)
    ;
  searched += i;
  return i < len ? (void *)((uintptr_t)s + i) : NULL;
}

void *memmove(void *to, const void *from, size_t len)
{
  const volatile unsigned char *f = from;
  volatile unsigned char *t = to;
  bool up = (uintptr_t)to < (uintptr_t)from;
  size_t i;
  for(i = 0; i < len; i++)
    t[up ? i : len - 1 - i] = f[up ? i : len - 1 - i];
  moved += len;
  return to;
}

void *memcpy(void *restrict to, const void *restrict from, size_t len)
{
  return memmove(to, from, len);
}
#endif

/* ---- a server ---- */

static const struct mote_addr here = { .family = MOTE_FAMILY_IP4, .port = 21, .ip = { 10, 0, 0, 1 } };
static const struct mote_addr data = { .family = MOTE_FAMILY_IP4, .port = 2000, .ip = { 10, 0, 0, 1 } };

static struct {
  bool greets; /* the greeting is the long line, and comes in pieces; else the last reply is */
  struct mote_sim_peer *control;
  char line[LINE];
  size_t said; /* bytes of the line */
  size_t sent; /* bytes of the file */
} server;

static void ftp_lines_say(const char *text)
{
  CHECK_INT(mote_sim_peer_write(server.control, text, strlen(text)), strlen(text));
}

static void ftp_lines_say_more(size_t most)
{
  size_t n = LINE - server.said < most ? LINE - server.said : most;
  CHECK_INT(mote_sim_peer_write(server.control, server.line + server.said, n), n);
  server.said += n;
}

static void ftp_lines_due(struct mote_sim_peer *p)
{
  ftp_lines_say_more(PIECE);
  if(server.said < LINE)
    mote_sim_peer_wait(p, MOTE_MS);
  else
    ftp_lines_say("\r\n");
}

static void ftp_lines_accepted(struct mote_sim_peer *p)
{
  server.control = p;
  if(server.greets)
    ftp_lines_due(p);
  else
    ftp_lines_say("220 hello\r\n");
}

static const char *ftp_lines_answer(const char *command)
{
  static const char *const answers[] = {
    "USER", "230 ok\r\n", "PWD", "257 \"/\"\r\n", "EPSV", "229 (|||2000|)\r\n", "TYPE", "200 ok\r\n",
    "RETR", "150 ok\r\n",
  };
  size_t i;
  for(i = 0; i < sizeof answers / sizeof *answers; i += 2)
    if(!strncmp(command, answers[i], strlen(answers[i])))
      return answers[i + 1];
  return "500 no\r\n";
}

static void ftp_lines_readable(struct mote_sim_peer *p)
{
  char command[200] = "";
  if(!mote_sim_peer_read(p, command, sizeof command - 1))
    return;
  ftp_lines_say(ftp_lines_answer(command));
  if(!strncmp(command, "RETR", 4) && !server.greets)
    ftp_lines_say_more(LINE);
}

static const struct mote_sim_service control = {
  .accepted = ftp_lines_accepted, .readable = ftp_lines_readable, .due = ftp_lines_due,
};

static void ftp_data_due(struct mote_sim_peer *p)
{
  CHECK_INT(mote_sim_peer_write(p, "y", 1), 1);
  if(++server.sent < FILE_SIZE)
    mote_sim_peer_wait(p, MOTE_MS);
  else {
    mote_sim_peer_end(p);
    ftp_lines_say(server.greets ? "226 ok\r\n" : "\r\n");
  }
}

static void ftp_data_accepted(struct mote_sim_peer *p)
{
  mote_sim_peer_wait(p, MOTE_MS);
}

static const struct mote_sim_service file = { .accepted = ftp_data_accepted, .due = ftp_data_due };

/* ---- a transfer ---- */

static size_t ftp_lines_body(char *bytes, size_t size, size_t count, void *arg)
{
  size_t *got = arg;
  (void)bytes;
  *got += size * count;
  return size * count;
}

/* Counts what a file costs whose server says a long line, as its greeting or while the file comes. */
static void ftp_lines_count(bool greets)
{
  CURL *easy;
  size_t got = 0;
  memset(&server, 0, sizeof server);
  memset(server.line, 'x', LINE);
  memcpy(server.line, greets ? "220 " : "226 ", 4);
  server.greets = greets;
  mote_sim_begin(1);
  mote_sim_weather()->window = 2 * LINE;
  mote_sim_listen(&here, &control, NULL);
  mote_sim_listen(&data, &file, NULL);
  easy = curl_easy_init();
  curl_easy_setopt(easy, CURLOPT_URL, "ftp://10.0.0.1/f");
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, ftp_lines_body);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, &got);
  searched = moved = 0;
  CHECK_INT(curl_easy_perform(easy), CURLE_OK);
  CHECK_INT(got, FILE_SIZE);
  CHECK(searched < 10 * LINE);
  CHECK(moved < 20 * LINE);
  curl_easy_cleanup(easy);
  CHECK_INT(mote_sim_end(), 0);
}

/* Each piece had all that was there of the line searched and moved. */
TEST(a_long_greeting_in_pieces)
{
  ftp_lines_count(true);
}

/* Each byte of the file had the line searched and moved, to which nothing came. */
TEST(a_long_reply_that_begins_before_the_file_ends)
{
  ftp_lines_count(false);
}

int main(void)
{
  TEST_RUN(a_long_greeting_in_pieces);
  TEST_RUN(a_long_reply_that_begins_before_the_file_ends);
  return test_end();
}
