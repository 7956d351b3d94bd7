/* When a subscription of MQTT pings, and what counts as a server that does not answer, in the simulated world
 * (src/port/sim/sim.h), where 45 seconds pass at once.
 * Needs wait_sets, mqtt, !small, posix.
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

static const struct mote_addr here = { .family = MOTE_FAMILY_IP4, .port = 1883, .ip = { 10, 0, 0, 1 } };

#define MESSAGE 20 /* bytes of it */

/* What the broker does, and has seen. */
static struct broker {
  mote_time apart; /* between two bytes of the message; 0: it comes whole. Nothing else comes meanwhile */
  bool silent;     /* sends no message and answers no ping */
  unsigned quiet;  /* pings that are answered before the message comes */
  unsigned pings;
  unsigned sent;   /* bytes of the message */
} broker;

static void broker_write(struct mote_sim_peer *p, const char *bytes, size_t len)
{
  CHECK_INT(mote_sim_peer_write(p, bytes, len), len);
}

/* Sends a byte of the message, or all of it, and ends the subscription after the last one. */
static void broker_speak(struct mote_sim_peer *p)
{
  do
    broker_write(p, "m", 1);
  while(++broker.sent < MESSAGE && !broker.apart);
  if(broker.sent < MESSAGE)
    mote_sim_peer_wait(p, broker.apart);
  else
    broker_write(p, "\xe0\x00", 2);
}

static void broker_begin(struct mote_sim_peer *p)
{
  static const char head[] = { 0x30, 3 + MESSAGE, 0, 1, 't' };
  broker_write(p, head, sizeof head);
  broker_speak(p);
}

/* No answer can come between the bytes of a message. */
static void broker_ping(struct mote_sim_peer *p)
{
  broker.pings++;
  if(broker.silent || (broker.sent && broker.sent < MESSAGE))
    return;
  broker_write(p, "\xd0\x00", 2);
  if(!broker.sent && broker.pings >= broker.quiet)
    broker_begin(p);
}

static void broker_readable(struct mote_sim_peer *p)
{
  char bytes[200];
  size_t len = mote_sim_peer_read(p, bytes, sizeof bytes);
  switch(len ? bytes[0] & 0xf0 : 0) {
  case 0x10:
    broker_write(p, "\x20\x02\x00\x00", 4);
    break;
  case 0x80:
    broker_write(p, "\x90\x03\x00\x01\x00", 5);
    if(!broker.silent && !broker.quiet)
      broker_begin(p);
    break;
  case 0xc0:
    broker_ping(p);
    break;
  default:
    break;
  }
}

static const struct mote_sim_service brokers = { .readable = broker_readable, .due = broker_speak };

/* The application, whose write callback takes the message. */
struct listener {
  size_t bytes; /* delivered */
  bool pauses;  /* the next bytes */
};

static size_t pings_take(char *bytes, size_t size, size_t count, void *arg)
{
  struct listener *l = arg;
  (void)bytes;
  if(l->pauses)
    return CURL_WRITEFUNC_PAUSE;
  l->bytes += size * count;
  return size * count;
}

/* Subscribes, unpauses after so many seconds, and gives up after 900. Returns how the transfer ended. */
static CURLcode listen_for(struct listener *l, unsigned paused)
{
  CURLM *multi;
  CURL *easy;
  CURLMsg *done = NULL;
  CURLcode rc = CURLE_FAILED_INIT;
  int running = 1, left;
  mote_time unpause;
  mote_sim_begin(1);
  mote_sim_listen(&here, &brokers, NULL);
  unpause = mote_port_now() + paused * MOTE_SECOND;
  multi = curl_multi_init();
  easy = curl_easy_init();
  curl_easy_setopt(easy, CURLOPT_URL, "mqtt://10.0.0.1/t");
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, pings_take);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, l);
  curl_easy_setopt(easy, CURLOPT_TIMEOUT, 900L);
  CHECK_INT(curl_multi_add_handle(multi, easy), CURLM_OK);
  while(running && curl_multi_perform(multi, &running) == CURLM_OK && running) {
    CHECK_INT(curl_multi_poll(multi, NULL, 0, 1000, NULL), CURLM_OK);
    if(l->pauses && mote_port_now() >= unpause) {
      l->pauses = false;
      CHECK_INT(curl_easy_pause(easy, CURLPAUSE_CONT), CURLE_OK);
    }
  }
  done = curl_multi_info_read(multi, &left);
  if(CHECK(done != NULL))
    rc = done->data.result;
  CHECK_INT(curl_multi_remove_handle(multi, easy), CURLM_OK);
  curl_easy_cleanup(easy);
  CHECK_INT(curl_multi_cleanup(multi), CURLM_OK);
  CHECK_INT(mote_sim_end(), 0);
  return rc;
}

#define ALL (3 + MESSAGE) /* bytes that are delivered: the topic is in front */

TEST(ends_when_pings_are_not_answered)
{
  struct listener l = { .pauses = false };
  broker = (struct broker){ .silent = true };
  CHECK_INT(listen_for(&l, 0), CURLE_OPERATION_TIMEDOUT);
  CHECK_INT(broker.pings, 1);
  CHECK_INT(l.bytes, 0);
}

TEST(stays_while_pings_are_answered)
{
  struct listener l = { .pauses = false };
  broker = (struct broker){ .quiet = 10 };
  CHECK_INT(listen_for(&l, 0), CURLE_OK);
  CHECK_INT(broker.pings, 10);
  CHECK_INT(l.bytes, ALL);
}

/* The ping's answer comes after the message: its bytes show that the server is there. */
TEST(stays_during_a_long_message)
{
  struct listener l = { .pauses = false };
  broker = (struct broker){ .apart = 40 * MOTE_SECOND };
  CHECK_INT(listen_for(&l, 0), CURLE_OK);
  CHECK_INT(l.bytes, ALL);
}

/* The answers have come, and wait until the application goes on. */
TEST(stays_during_a_pause)
{
  struct listener l = { .pauses = true };
  broker = (struct broker){ .apart = 0 };
  CHECK_INT(listen_for(&l, 400), CURLE_OK);
  CHECK(broker.pings >= 8);
  CHECK_INT(l.bytes, ALL);
}

/* A server that has gone during the pause is missed after it. */
TEST(ends_when_no_ping_is_answered_after_a_pause)
{
  struct listener l = { .pauses = true };
  broker = (struct broker){ .apart = 1000 * MOTE_SECOND };
  CHECK_INT(listen_for(&l, 400), CURLE_OPERATION_TIMEDOUT);
  CHECK(broker.pings >= 9 && broker.pings <= 11);
}

int main(void)
{
  TEST_RUN(ends_when_no_ping_is_answered_after_a_pause);
  TEST_RUN(ends_when_pings_are_not_answered);
  TEST_RUN(stays_during_a_long_message);
  TEST_RUN(stays_during_a_pause);
  TEST_RUN(stays_while_pings_are_answered);
  return test_end();
}
