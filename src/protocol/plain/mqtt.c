/* protocol/plain/mqtt.c: one exchange of MQTT (protocol/plain/mqtt.h). */
#include "base/out.h"
#include "protocol/plain/mqtt.h"

#include "auth/scheme.h"
#include "codec/url/percent.h"
#include "http/auth/auth.h"
#include "http/auth/netrc.h"
#include "net/driver.h"
#include "protocol/body.h"
#include "transfer/multi/schedule.h"
#include "transfer/protocol.h"
#include "transfer/upload/source.h"

#define SUBSCRIPTION 1     /* identifier of the only one */
#define EVENTS_PER_STEP 64 /* then other transfers get their turn */

static struct mote_slice topic_of(const struct mote_transfer *t)
{
  return mote_url_packed_path(&t->run->request.url);
}

static bool publishes(const struct mote_transfer *t)
{
  return t->run->request.method == MOTE_METHOD_POST;
}

static CURLcode send_small(struct mote_transfer *t, uint8_t head)
{
  char bytes[MOTE_MQTT_HEAD_MOST];
  struct mote_out packet = mote_out_in(bytes, sizeof bytes);
  mote_mqtt_put_head(&packet, head, 0);
  return mote_mqtt_send(t, &packet);
}

static CURLcode mqtt_prepare(struct mote_transfer *t)
{
  struct mote_auth_login login;
  struct mote_slice topic = topic_of(t);
  CURLcode rc = mote_netrc_find_printable(t);
  mote_request_announce(&t->run->request, -1);
  if(rc)
    return rc;
  mote_http_find_login(t, &login);
  if(mote_percent_has_control(topic, true))
    return mote_talk_failed(t, CURLE_URL_MALFORMAT, "The topic contains a control character");
  if(topic.len > MOTE_MQTT_WORD_MOST)
    return mote_talk_failed(t, CURLE_TOO_LARGE, "The topic is longer than 65535 bytes");
  if(login.user.len > MOTE_MQTT_WORD_MOST || login.password.len > MOTE_MQTT_WORD_MOST)
    return mote_talk_failed(t, CURLE_WEIRD_SERVER_REPLY, "The user or password is longer than 65535 bytes");
  if(publishes(t))
    return mote_source_open(t);
  mote_source_close(t);
  return CURLE_OK;
}

/* ---- publishing ---- */

/* A small message leaves together with its head: brokers exist that take what one read gives for all of a
 * PUBLISH. */
static CURLcode begin_publish(struct mote_transfer *t)
{
  struct mote_slice topic = topic_of(t);
  curl_off_t size = t->run->body ? mote_source_size(t) : 0;
  size_t most = 2 + topic.len, front = MOTE_MQTT_HEAD_MOST + most;
  struct mote_out words;
  size_t len = 0;
  CURLcode rc;
  if(size < 0)
    return mote_talk_failed(t, CURLE_BAD_FUNCTION_ARGUMENT,
                            "MQTT publishes messages of a known size only (CURLOPT_POSTFIELDSIZE)");
  if(size > (curl_off_t)(MOTE_MQTT_MOST - 2 - MOTE_MQTT_WORD_MOST))
    return mote_talk_failed(t, CURLE_TOO_LARGE, "The message is too large for MQTT");
  rc = mote_mqtt_open_words(t, &words, most);
  if(rc)
    return rc;
  mote_mqtt_put_word(&words, topic, true);
  if(t->run->body)
    rc = mote_body_take_small(t, words.ptr + words.len, mote_schedule_buffer_size(t->multi) - front, &len);
  (void)mote_talk_go(&mote_mqtt_of(t)->talk, MOTE_MQTT_SEND);
  return rc ? rc : mote_mqtt_send_publish(t, &words, len, (size_t)size);
}

static CURLcode publish(struct mote_transfer *t, struct mote_talk *talk)
{
  struct mote_conn *c = t->run->channel.conn;
  CURLcode rc = t->run->body ? mote_body_send(t, c, talk->now) : CURLE_OK;
  return rc ? rc : mote_body_flush(t, c);
}

/* ---- listening ---- */

static CURLcode subscribe(struct mote_transfer *t, mote_time now)
{
  struct mote_slice topic = topic_of(t);
  struct mote_out words;
  CURLcode rc = mote_mqtt_open_words(t, &words, 5 + topic.len);
  if(rc)
    return rc;
  mote_out_16(&words, SUBSCRIPTION);
  mote_mqtt_put_word(&words, topic, true);
  mote_out_char(&words, 0); /* the highest QoS that is asked for */
  (void)mote_talk_go(&mote_mqtt_of(t)->talk, MOTE_MQTT_LISTEN);
  mote_timer_set(t, MOTE_TIMER_STATE, now + MOTE_MQTT_PING);
  mote_conn_look_again(t->run->channel.conn);
  return mote_mqtt_send_words(t, MOTE_MQTT_SUBSCRIBE, &words);
}

static void fail_with(struct mote_mqtt *m, CURLcode rc)
{
  m->refused = true;
  m->failed = rc;
}

/* Takes a packet that is complete. Returns true where the step has something to do about it. */
static bool take_packet(struct mote_mqtt *m, uint8_t head)
{
  switch(head) {
  case MOTE_MQTT_SUBACK:
    if(m->in.id != SUBSCRIPTION || m->in.small[2] > 2)
      fail_with(m, CURLE_WEIRD_SERVER_REPLY);
    return m->refused;
  case MOTE_MQTT_DISCONNECT:
    (void)mote_talk_go(&m->talk, MOTE_MQTT_OVER);
    return true;
  default:
    m->ack_due = (head & 0xf0u) == MOTE_MQTT_PUBLISH && mote_mqtt_qos(head) == 1;
    m->ack = m->in.id;
    return m->ack_due;
  }
}

/* The body is what PUBLISH packets have after their heads. It ends for a moment with each packet that wants
 * an answer. */
static CURLcode cut_packets(void *state, char *bytes, size_t len, struct mote_body_cut *cut)
{
  struct mote_mqtt *m = state;
  struct mote_mqtt_event e;
  m->pinged = false; /* any byte shows that the server is there: a long message delays its answer */
  cut->used = mote_mqtt_feed(&m->in, bytes, len, &e);
  cut->bytes = bytes + e.from;
  cut->len = e.len;
  if(e.verdict == MOTE_MQTT_BROKEN) {
    fail_with(m, CURLE_WEIRD_SERVER_REPLY);
    cut->len = 0;
  }
  cut->over = e.verdict == MOTE_MQTT_PACKET ? take_packet(m, e.head) : m->refused;
  return CURLE_OK;
}

static CURLcode send_ack(struct mote_transfer *t)
{
  struct mote_mqtt *m = mote_mqtt_of(t);
  char bytes[MOTE_MQTT_HEAD_MOST + 2];
  struct mote_out packet = mote_out_in(bytes, sizeof bytes);
  m->ack_due = false;
  mote_mqtt_put_head(&packet, MOTE_MQTT_PUBACK, 2);
  mote_out_16(&packet, m->ack);
  return mote_mqtt_send(t, &packet);
}

/* Two silent periods are the end: the first one had a ping. While the application does not want bytes, an
 * answer would not be read. The pings go on then, as the server ends a connection without any. */
static CURLcode plain_mqtt_ping(struct mote_transfer *t, mote_time now)
{
  struct mote_mqtt *m = mote_mqtt_of(t);
  bool reads = !t->run->flow.recv.paused && !t->run->flow.recv.limited;
  if(reads && m->pinged)
    return mote_talk_failed(t, CURLE_OPERATION_TIMEDOUT, "The server does not answer pings");
  m->pinged = reads;
  mote_timer_set(t, MOTE_TIMER_STATE, now + MOTE_MQTT_PING);
  return send_small(t, MOTE_MQTT_PINGREQ);
}

static CURLcode plain_mqtt_receive(struct mote_transfer *t, mote_time now)
{
  struct mote_mqtt *m = mote_mqtt_of(t);
  const struct mote_body_filter packets = {.cut = cut_packets, .state = m};
  curl_off_t left = -1;
  CURLcode rc = mote_body_receive(t, t->run->channel.conn, &left, &packets, now);
  if(rc == CURLE_PARTIAL_FILE && !m->in.left)
    return CURLE_RECV_ERROR;
  if(!rc && m->refused)
    return mote_talk_failed(t, m->failed, "The server refuses the subscription, or sends what is not MQTT");
  return rc;
}

static CURLcode plain_mqtt_listen_on(struct mote_transfer *t, struct mote_talk *talk)
{
  struct mote_mqtt *m = (struct mote_mqtt *)talk;
  int i;
  for(i = 0; i < EVENTS_PER_STEP; i++) {
    CURLcode rc = mote_body_flush(t, t->run->channel.conn);
    if(!rc && mote_timer_due(t, MOTE_TIMER_STATE, talk->now))
      rc = plain_mqtt_ping(t, talk->now);
    if(!rc && m->ack_due)
      rc = send_ack(t);
    if(!rc)
      rc = plain_mqtt_receive(t, talk->now);
    if(rc || talk->stage == MOTE_MQTT_OVER)
      return rc;
    mote_conn_look_again(t->run->channel.conn);
  }
  mote_transfer_wake(t);
  return CURLE_AGAIN;
}

/* ---- the row ---- */

static CURLcode plain_mqtt_ask(struct mote_transfer *t, struct mote_talk *talk)
{
  return publishes(t) ? begin_publish(t) : subscribe(t, talk->now);
}

static const struct mote_stage stages[MOTE_MQTT_OVER] = {
  [MOTE_MQTT_NEW] = {"CONNECT", mote_mqtt_connect, NULL, MOTE_MQTT_WELCOME, false},
  [MOTE_MQTT_WELCOME] = {"CONNACK", mote_mqtt_take_welcome, NULL, MOTE_MQTT_READY, false},
  [MOTE_MQTT_ASK] = {"request", plain_mqtt_ask, NULL, MOTE_MQTT_OVER, false},
  [MOTE_MQTT_SEND] = {"PUBLISH", publish, NULL, MOTE_MQTT_OVER, false},
  [MOTE_MQTT_LISTEN] = {"SUBSCRIBE", plain_mqtt_listen_on, NULL, MOTE_MQTT_OVER, false},
};

static const struct mote_talk_row row = {.stages = stages};

static CURLcode mqtt_greet(struct mote_transfer *t, mote_time now)
{
  return mote_talk_greet(t, &mote_mqtt_of(t)->talk, &row, now, MOTE_MQTT_READY);
}

/* A topic is missed as late as libcurl misses it, whose users see the greeting first. */
static CURLcode mqtt_begin(struct mote_transfer *t)
{
  if(!topic_of(t).len)
    return mote_talk_failed(t, CURLE_URL_MALFORMAT, "No MQTT topic found. Forgot to URL encode it?");
  return mote_talk_go(&mote_mqtt_of(t)->talk, MOTE_MQTT_ASK);
}

static CURLcode mqtt_step(struct mote_transfer *t, mote_time now)
{
  CURLcode rc = mote_talk_step(t, &mote_mqtt_of(t)->talk, &row, now, MOTE_MQTT_OVER);
  return rc ? rc : mote_talk_finish(t);
}

/* A subscription ends with its connection, so that no message of it comes to another transfer. */
static void mqtt_end(struct mote_transfer *t, CURLcode rc)
{
  struct mote_mqtt *m = mote_mqtt_of(t);
  bool kept = !rc && publishes(t) && m->talk.stage == MOTE_MQTT_OVER;
  if(kept)
    m->talk.stage = MOTE_MQTT_READY;
  mote_timer_set(t, MOTE_TIMER_STATE, 0);
  mote_conn_set_reusable(t->run->channel.conn, kept);
}

static CURLcode mqtt_goodbye(struct mote_conn *c)
{
  const struct mote_mqtt *m = mote_conn_state(c);
  char bytes[MOTE_MQTT_HEAD_MOST];
  struct mote_out packet = mote_out_in(bytes, sizeof bytes);
  size_t n;
  if(m->talk.stage != MOTE_MQTT_READY)
    return CURLE_SEND_ERROR;
  mote_mqtt_put_head(&packet, MOTE_MQTT_DISCONNECT, 0);
  return mote_conn_send(c, packet.ptr, packet.len, &n);
}

static const struct mote_driver mqtt_driver = {.name = "mqtt", .goodbye = mqtt_goodbye};

const struct mote_protocol mote_protocol_mqtt = {
  .name = "mqtt",
  .conn_size = sizeof(struct mote_mqtt),
  .driver = &mqtt_driver,
  .login = mote_http_identity,
  .prepare = mqtt_prepare,
  .greet = mqtt_greet,
  .begin = mqtt_begin,
  .step = mqtt_step,
  .end = mqtt_end,
};
