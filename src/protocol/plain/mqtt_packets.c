/* protocol/plain/mqtt_packets.c: sends packets of MQTT, and greets the server (protocol/plain/mqtt.h). */
#include <string.h>

#include "auth/scheme.h"
#include "base/out.h"
#include "codec/url/percent.h"
#include "http/auth/auth.h"
#include "port/port.h"
#include "protocol/body.h"
#include "protocol/plain/mqtt.h"
#include "transfer/multi/schedule.h"
#include "transfer/pump/pump.h"
#include "transfer/report/debug.h"

#define NAME "curl"      /* with which the client's identifier begins, as libcurl's */
#define NAME_RANDOM 8    /* characters that follow */
#define CONNECT_FIXED 10 /* bytes in front of the identifier: protocol, level, flags, keep alive */

/* ---- packets ---- */

CURLcode mote_mqtt_open_words(struct mote_transfer *t, struct mote_out *words, size_t most)
{
  size_t wish = (size_t)mote_opt_long(&t->options, CURLOPT_BUFFERSIZE), all = MOTE_MQTT_HEAD_MOST + most;
  char *room = mote_schedule_buffer(t->multi, (uint32_t)(all > wish ? all : wish));
  if(!room)
    return CURLE_OUT_OF_MEMORY;
  *words = mote_out_in(room + MOTE_MQTT_HEAD_MOST, most);
  return CURLE_OK;
}

/* The head and what follows it are one piece; `data` bytes of it at the end are a message's. */
static CURLcode mqtt_packets_send(struct mote_transfer *t, const char *packet, size_t len, size_t data)
{
  size_t front = len - data;
  t->run->request.bytes += (uint32_t)front;
  mote_debug(t, CURLINFO_HEADER_OUT, packet, front);
  if(data)
    mote_debug(t, CURLINFO_DATA_OUT, packet + front, data);
  return mote_body_put(t, t->run->channel.conn, packet, len);
}

CURLcode mote_mqtt_send(struct mote_transfer *t, const struct mote_out *packet)
{
  return mqtt_packets_send(t, packet->ptr, packet->len, 0);
}

/* What was decoded is never longer. */
void mote_mqtt_put_word(struct mote_out *words, struct mote_slice word, bool coded)
{
  size_t len = word.len;
  if(!coded)
    mote_mqtt_put_text(words, word);
  else if(mote_out_fits(words, 2 + word.len)) {
    (void)mote_percent_decode(word, 0, words->ptr + words->len + 2, len, &len);
    mote_out_16(words, (uint16_t)len);
    words->len += len;
  }
}

/* The words lie in the room before their head is known, which is written in front of them. */
static CURLcode mqtt_packets_send_words(struct mote_transfer *t, uint8_t first, const struct mote_out *words,
                                        size_t len, size_t size)
{
  char bytes[MOTE_MQTT_HEAD_MOST];
  struct mote_out head = mote_out_in(bytes, sizeof bytes);
  char *packet;
  if(words->cut)
    return CURLE_TOO_LARGE;
  mote_mqtt_put_head(&head, first, (uint32_t)(words->len + size));
  packet = memcpy(words->ptr - head.len, head.ptr, head.len);
  return mqtt_packets_send(t, packet, head.len + words->len + len, len);
}

CURLcode mote_mqtt_send_words(struct mote_transfer *t, uint8_t head, const struct mote_out *words)
{
  return mqtt_packets_send_words(t, head, words, 0, 0);
}

CURLcode mote_mqtt_send_publish(struct mote_transfer *t, const struct mote_out *words, size_t len,
                                size_t size)
{
  return mqtt_packets_send_words(t, MOTE_MQTT_PUBLISH, words, len, size);
}

/* ---- the greeting ---- */

static CURLcode make_name(char name[NAME_RANDOM])
{
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  uint8_t random[NAME_RANDOM];
  CURLcode rc = mote_port_random(random, sizeof random);
  unsigned i;
  for(i = 0; !rc && i < NAME_RANDOM; i++)
    name[i] = letters[random[i] % (sizeof letters - 1)];
  return rc;
}

CURLcode mote_mqtt_connect(struct mote_transfer *t, struct mote_talk *talk)
{
  enum { CLEAN = 2, HAS_PASSWORD = 64, HAS_USER = 128, LEVEL = 4 };
  char name[sizeof NAME - 1 + NAME_RANDOM] = NAME;
  struct mote_auth_login login;
  struct mote_out words;
  CURLcode rc = make_name(name + sizeof NAME - 1);
  if(rc)
    return rc;
  mote_http_find_login(t, &login);
  rc = mote_mqtt_open_words(t, &words, CONNECT_FIXED + 2 + sizeof name + 4 + login.user.len +
                                         login.password.len);
  if(rc)
    return rc;
  mote_mqtt_put_text(&words, mote_slice_of("MQTT"));
  mote_out_char(&words, LEVEL);
  mote_out_char(&words, (char)(CLEAN | (login.user.len ? HAS_USER : 0) |
                               (login.password.len ? HAS_PASSWORD : 0)));
  mote_out_16(&words, MOTE_MQTT_KEEP_ALIVE);
  mote_mqtt_put_text(&words, (struct mote_slice){name, sizeof name});
  mote_info(&t->report, "Using client id '%.*s'", (int)sizeof name, name);
  if(login.user.len)
    mote_mqtt_put_word(&words, login.user, login.user_coded);
  if(login.password.len)
    mote_mqtt_put_word(&words, login.password, login.password_coded);
  (void)mote_talk_go(talk, MOTE_MQTT_WELCOME); /* even if not all of it goes at once */
  return mote_mqtt_send_words(t, MOTE_MQTT_CONNECT, &words);
}

static CURLcode mqtt_packets_take_welcome(struct mote_transfer *t, const char *bytes, size_t len,
                                          size_t *more)
{
  struct mote_mqtt *m = mote_conn_state(t->run->channel.conn);
  struct mote_mqtt_event e;
  *more = 1;
  if(!len)
    return CURLE_OK;
  (void)mote_mqtt_feed(&m->in, bytes, len, &e);
  if(e.verdict == MOTE_MQTT_BROKEN || (e.verdict == MOTE_MQTT_PACKET && e.head != MOTE_MQTT_CONNACK))
    return mote_talk_failed(t, CURLE_WEIRD_SERVER_REPLY, "The server does not greet as MQTT does");
  if(e.verdict != MOTE_MQTT_PACKET)
    return CURLE_OK;
  *more = 0;
  if(!m->in.small[1])
    return CURLE_OK;
  return mote_fail_as(CURLE_WEIRD_SERVER_REPLY, &t->report, "The server refuses the connection: MQTT code %u",
                      (unsigned)m->in.small[1]);
}

/* Reads CONNACK and no byte more. */
CURLcode mote_mqtt_take_welcome(struct mote_transfer *t, struct mote_talk *talk)
{
  (void)talk;
  return mote_pump_collect(t, t->run->channel.conn, mqtt_packets_take_welcome);
}
