/* protocol/plain/mqtt_packets.c: sends packets of MQTT, and greets the server (protocol/plain/mqtt.h). */
#include <string.h>

#include "auth/scheme.h"
#include "codec/url/percent.h"
#include "http/auth/auth.h"
#include "port/port.h"
#include "protocol/body.h"
#include "protocol/plain/mqtt.h"
#include "transfer/pump/pump.h"
#include "transfer/report/debug.h"
#include "transfer/schedule.h"

#define NAME "curl"      /* with which the client's identifier begins, as libcurl's */
#define NAME_RANDOM 8    /* characters that follow */
#define CONNECT_FIXED 10 /* bytes in front of the identifier: protocol, level, flags, keep alive */

/* ---- packets ---- */

/* Returns room for a packet in the multi's buffer, or NULL: CURLE_OUT_OF_MEMORY. */
char *mote_mqtt_room(struct mote_transfer *t, size_t most)
{
  size_t wish = (size_t)mote_opt_long(&t->options, CURLOPT_BUFFERSIZE);
  return mote_schedule_buffer(t->multi, (uint32_t)(most > wish ? most : wish));
}

CURLcode mote_mqtt_send(struct mote_transfer *t, const char *packet, const char *end)
{
  size_t len = (size_t)(end - packet);
  t->run->request.bytes += (uint32_t)len;
  mote_debug(t, CURLINFO_HEADER_OUT, packet, len);
  return mote_body_put(t, t->run->channel.conn, packet, len);
}

/* Writes a word that may be percent-encoded. */
char *mote_mqtt_put_word(char *at, struct mote_slice word, bool coded)
{
  size_t len = word.len;
  char *text = at + 2;
  if(!coded)
    return mote_mqtt_put_text(at, word);
  (void)mote_percent_decode(word, 0, text, len, &len);
  (void)mote_mqtt_put_number(at, (uint16_t)len);
  return text + len;
}

/* Writes the head in front of the words, which lie in the room before it is known. Returns its beginning. */
static char *mqtt_packets_put_head(char *words, uint8_t head, size_t left)
{
  char bytes[MOTE_MQTT_HEAD_MOST];
  size_t len = (size_t)(mote_mqtt_put_head(bytes, head, (uint32_t)left) - bytes);
  memcpy(words - len, bytes, len);
  return words - len;
}

CURLcode mote_mqtt_send_words(struct mote_transfer *t, uint8_t head, char *words, const char *end)
{
  return mote_mqtt_send(t, mqtt_packets_put_head(words, head, (size_t)(end - words)), end);
}

CURLcode mote_mqtt_send_publish(struct mote_transfer *t, char *words, const char *message, size_t len,
                                size_t size)
{
  size_t front = (size_t)(message - words);
  const char *packet = mqtt_packets_put_head(words, MOTE_MQTT_PUBLISH, front + size);
  front = (size_t)(message - packet);
  t->run->request.bytes += (uint32_t)front;
  mote_debug(t, CURLINFO_HEADER_OUT, packet, front);
  if(len)
    mote_debug(t, CURLINFO_DATA_OUT, message, len);
  return mote_body_put(t, t->run->channel.conn, packet, front + len);
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
  char name[sizeof NAME - 1 + NAME_RANDOM] = NAME, *room, *at;
  struct mote_auth_login login;
  CURLcode rc = make_name(name + sizeof NAME - 1);
  if(rc)
    return rc;
  mote_http_find_login(t, &login);
  room = mote_mqtt_room(t, MOTE_MQTT_HEAD_MOST + CONNECT_FIXED + 2 + sizeof name + 4 + login.user.len +
                           login.password.len);
  if(!room)
    return CURLE_OUT_OF_MEMORY;
  room += MOTE_MQTT_HEAD_MOST;
  at = mote_mqtt_put_text(room, mote_slice_of("MQTT"));
  *at++ = LEVEL;
  *at++ = (char)(CLEAN | (login.user.len ? HAS_USER : 0) | (login.password.len ? HAS_PASSWORD : 0));
  at = mote_mqtt_put_number(at, MOTE_MQTT_KEEP_ALIVE);
  at = mote_mqtt_put_text(at, (struct mote_slice){name, sizeof name});
  mote_info(&t->report, "Using client id '%.*s'", (int)sizeof name, name);
  if(login.user.len)
    at = mote_mqtt_put_word(at, login.user, login.user_coded);
  if(login.password.len)
    at = mote_mqtt_put_word(at, login.password, login.password_coded);
  (void)mote_talk_go(talk, MOTE_MQTT_WELCOME); /* even if not all of it goes at once */
  return mote_mqtt_send_words(t, MOTE_MQTT_CONNECT, room, at);
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
  mote_fail(&t->report, "The server refuses the connection: MQTT code %u", (unsigned)m->in.small[1]);
  return CURLE_WEIRD_SERVER_REPLY;
}

/* Reads CONNACK and no byte more. */
CURLcode mote_mqtt_take_welcome(struct mote_transfer *t, struct mote_talk *talk)
{
  (void)talk;
  return mote_pump_collect(t, t->run->channel.conn, mqtt_packets_take_welcome);
}
