/* What an HTTP/1.1 transfer waits for, in the simulated world (src/port/sim/sim.h).
 * Needs wait_sets, http, !small, posix.
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

static const struct mote_addr here = { .family = MOTE_FAMILY_IP4, .port = 80, .ip = { 10, 0, 0, 1 } };

/* Answers with ten bytes of twenty, and sends the others five seconds later. */
static void halves_readable(struct mote_sim_peer *p)
{
  static const char head[] = "HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n0123456789";
  char bytes[1000];
  if(!mote_sim_peer_read(p, bytes, sizeof bytes))
    return;
  (void)mote_sim_peer_write(p, head, sizeof head - 1);
  mote_sim_peer_wait(p, 5 * MOTE_SECOND);
}

static void halves_due(struct mote_sim_peer *p)
{
  (void)mote_sim_peer_write(p, "0123456789", 10);
}

static const struct mote_sim_service halves = { .readable = halves_readable, .due = halves_due };

struct subject {
  bool pauses;   /* the next bytes */
  size_t bytes;  /* delivered */
  mote_time due; /* 0: there is no timer */
  int socket;    /* -1: none is watched */
  int want;
  unsigned calls; /* of curl_multi_socket_action */
};

static size_t waits_body(char *bytes, size_t size, size_t count, void *arg)
{
  struct subject *s = arg;
  (void)bytes;
  if(s->pauses) {
    s->pauses = false;
    return CURL_WRITEFUNC_PAUSE;
  }
  s->bytes += size * count;
  return size * count;
}

static int waits_timer(CURLM *multi, long timeout_ms, void *arg)
{
  struct subject *s = arg;
  (void)multi;
  s->due = timeout_ms < 0 ? 0 : mote_port_now() + timeout_ms * MOTE_MS;
  return 0;
}

static int waits_socket(CURL *easy, curl_socket_t fd, int what, void *arg, void *own)
{
  struct subject *s = arg;
  (void)easy;
  (void)own;
  s->socket = what == CURL_POLL_REMOVE ? -1 : fd;
  s->want = what;
  return 0;
}

/* Lets the program's loop turn, until so many bytes were delivered and the transfer is paused or not. */
static void turn_until(CURLM *multi, struct subject *s, size_t bytes, bool paused)
{
  int running = 1;
  while(running && s->calls < 1000 && (s->bytes < bytes || s->pauses == paused)) {
    struct curl_waitfd w = { s->socket, (short)((s->want & CURL_POLL_IN ? CURL_WAIT_POLLIN : 0) |
                                                (s->want & CURL_POLL_OUT ? CURL_WAIT_POLLOUT : 0)), 0 };
    if(s->due && s->due <= mote_port_now()) {
      s->due = 0;
      s->calls++;
      CHECK_INT(curl_multi_socket_action(multi, CURL_SOCKET_TIMEOUT, 0, &running), CURLM_OK);
      continue;
    }
    if(mote_sim_wait(&w, 1, s->due)) {
      s->calls++;
      CHECK_INT(curl_multi_socket_action(multi, s->socket, CURL_CSELECT_IN | CURL_CSELECT_OUT, &running),
                CURLM_OK);
    }
  }
}

static void begin_subject(struct subject *s, CURLM **multi, CURL **easy)
{
  *multi = curl_multi_init();
  *easy = curl_easy_init();
  curl_easy_setopt(*easy, CURLOPT_URL, "http://10.0.0.1/");
  curl_easy_setopt(*easy, CURLOPT_WRITEFUNCTION, waits_body);
  curl_easy_setopt(*easy, CURLOPT_WRITEDATA, s);
  curl_multi_setopt(*multi, CURLMOPT_TIMERFUNCTION, waits_timer);
  curl_multi_setopt(*multi, CURLMOPT_TIMERDATA, s);
  curl_multi_setopt(*multi, CURLMOPT_SOCKETFUNCTION, waits_socket);
  curl_multi_setopt(*multi, CURLMOPT_SOCKETDATA, s);
  CHECK_INT(curl_multi_add_handle(*multi, *easy), CURLM_OK);
}

static void end_subject(CURLM *multi, CURL *easy)
{
  CHECK_INT(curl_multi_remove_handle(multi, easy), CURLM_OK);
  curl_easy_cleanup(easy);
  CHECK_INT(curl_multi_cleanup(multi), CURLM_OK);
  CHECK_INT(mote_sim_end(), 0);
}

/* All that has come was given to the callback, which refused it: nothing is left to be read until the other
 * half comes, and nothing is to be done. Each turn was followed by another at once. */
TEST(waits_after_a_pause)
{
  struct subject s = { .pauses = true, .socket = -1 };
  CURLM *multi;
  CURL *easy;
  mote_sim_begin(1);
  mote_sim_listen(&here, &halves, NULL);
  begin_subject(&s, &multi, &easy);
  turn_until(multi, &s, 0, true); /* until the callback has refused the first half */
  CHECK_INT(s.bytes, 0);
  s.calls = 0;
  CHECK_INT(curl_easy_pause(easy, CURLPAUSE_CONT), CURLE_OK);
  turn_until(multi, &s, 20, true);
  CHECK_INT(s.bytes, 20);
  CHECK(s.calls < 10);
  end_subject(multi, easy);
}

/* ---- bytes that are looked at ---- */

#define CHUNK 60000u /* bytes, several readings of the buffer */

static void chunk_readable(struct mote_sim_peer *p)
{
  static const char head[] = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nea60\r\n";
  static char answer[sizeof head - 1 + CHUNK + 7];
  char bytes[1000];
  if(!mote_sim_peer_read(p, bytes, sizeof bytes))
    return;
  memset(answer, 'x', sizeof answer);
  memcpy(answer, head, sizeof head - 1);
  memcpy(answer + sizeof answer - 7, "\r\n0\r\n\r\n", 7);
  CHECK_INT(mote_sim_peer_write(p, answer, sizeof answer), sizeof answer);
}

static const struct mote_sim_service answers_chunk = { .readable = chunk_readable };

/* A read that filled the buffer was taken for one that had emptied the socket: a wait for each 16 KB. */
TEST(reads_on_after_a_full_buffer)
{
  struct subject s = { .socket = -1 };
  CURLM *multi;
  CURL *easy;
  mote_sim_begin(1);
  mote_sim_weather()->window = 2 * CHUNK;
  mote_sim_listen(&here, &answers_chunk, NULL);
  begin_subject(&s, &multi, &easy);
  turn_until(multi, &s, 1, true);
  CHECK_INT(s.bytes, CHUNK); /* with the first event */
  end_subject(multi, easy);
}

/* ---- an answer that comes ahead of the upload ---- */

static struct {
  char bytes[8000]; /* all that the server has read, with a NUL */
  size_t len;
  unsigned answers;
  bool reads;       /* the server reads more than the first head */
} early;

static void early_read(struct mote_sim_peer *p)
{
  static const char answer[] = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
  const char *get;
  while(early.reads || !strstr(early.bytes, "\r\n\r\n")) {
    size_t n = mote_sim_peer_read(p, early.bytes + early.len, 1);
    if(!n)
      break;
    early.len += n;
  }
  get = strstr(early.bytes, "GET ");
  if(strstr(get ? get : early.bytes, "\r\n\r\n") && early.answers < (get ? 2u : 1u)) {
    early.answers++;
    (void)mote_sim_peer_write(p, answer, sizeof answer - 1);
    mote_sim_peer_wait(p, MOTE_SECOND);
  }
}

static void early_due(struct mote_sim_peer *p)
{
  early.reads = true;
  early_read(p);
}

static const struct mote_sim_service answers_early = { .readable = early_read, .due = early_due };

static size_t waits_upload(char *room, size_t size, size_t count, void *arg)
{
  size_t *left = arg;
  size_t n = size * count < *left ? size * count : *left;
  memset(room, 'u', n);
  *left -= n;
  return n;
}

/* The transfer ended with its response, and the connection was kept: the next request went out in place of
 * the bytes of the upload that the socket had not taken. */
TEST(sends_the_rest_of_an_upload_ahead_of_the_next_request)
{
  size_t left = 1000;
  char *body, *next;
  CURL *easy;
  memset(&early, 0, sizeof early);
  mote_sim_begin(1);
  mote_sim_weather()->window = 300;
  mote_sim_listen(&here, &answers_early, NULL);
  easy = curl_easy_init();
  curl_easy_setopt(easy, CURLOPT_URL, "http://10.0.0.1/");
  curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, 10000L);
  curl_easy_setopt(easy, CURLOPT_UPLOAD, 1L);
  curl_easy_setopt(easy, CURLOPT_INFILESIZE, 1000L);
  curl_easy_setopt(easy, CURLOPT_READFUNCTION, waits_upload);
  curl_easy_setopt(easy, CURLOPT_READDATA, &left);
  CHECK_INT(curl_easy_perform(easy), CURLE_OK);
  CHECK_INT(left, 0);
  curl_easy_setopt(easy, CURLOPT_UPLOAD, 0L);
  curl_easy_setopt(easy, CURLOPT_HTTPGET, 1L);
  CHECK_INT(curl_easy_perform(easy), CURLE_OK);
  body = strstr(early.bytes, "\r\n\r\n");
  next = strstr(early.bytes, "GET /");
  if(CHECK(body && next))
    CHECK_INT(next - body, 4 + 1000);
  curl_easy_cleanup(easy);
  CHECK_INT(mote_sim_end(), 0);
}

int main(void)
{
  TEST_RUN(sends_the_rest_of_an_upload_ahead_of_the_next_request);
  TEST_RUN(waits_after_a_pause);
  TEST_RUN(reads_on_after_a_full_buffer);
  return test_end();
}
