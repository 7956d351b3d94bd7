/* protocol/plain/mqtt.h: mqtt: and mqtts: URLs (MQTT 3.1.1; CURLOPT_URL(3)).
 *
 * The path is the topic. A POST publishes its body with QoS 0. Any other request subscribes, and the body is
 * what the server publishes, one message after the other with its topic in front, until it says DISCONNECT.
 * A message with QoS 1 is acknowledged.
 *
 * The greeting is CONNECT, with user and password. A connection is kept for further publishing of the same
 * user, and says DISCONNECT at its end. While the client listens it pings a server that is silent.
 *
 * Ownership: the connection owns the state.
 * Errors:    CURLE_URL_MALFORMAT (no topic, or one with a control character),
 *            CURLE_TOO_LARGE, CURLE_SEND_ERROR (a body of unknown size),
 *            CURLE_WEIRD_SERVER_REPLY (also for a server that refuses, and for a user or password of more
 *            than 65,535 bytes, as libcurl has it), CURLE_RECV_ERROR (the connection has ended without
 *            DISCONNECT), CURLE_OPERATION_TIMEDOUT (no answer to a ping).
 * Threads:   those of the multi.
 * Tests:     tests/e2e/test_mqtt.py, tests/unit/protocol/test_mqtt_pings.c */
#ifndef MOTE_PROTOCOL_PLAIN_MQTT_H
#define MOTE_PROTOCOL_PLAIN_MQTT_H

#include "codec/mqtt.h"
#include "net/conn.h"
#include "protocol/conversation.h"
#include "transfer/transfer.h"

struct mote_protocol;

#define MOTE_MQTT_KEEP_ALIVE 60              /* seconds, in CONNECT */
#define MOTE_MQTT_PING (45 * MOTE_SECOND)    /* without an event, then the client pings */
#define MOTE_MQTT_WORD_MOST 65535u           /* bytes of a topic, a user, a password */

/* The stages (protocol/conversation.h), each of which is asked until it is over. */
enum mote_mqtt_stage {
  MOTE_MQTT_NEW,       /* CONNECT */
  MOTE_MQTT_WELCOME,   /* CONNACK comes */
  MOTE_MQTT_READY,     /* between exchanges */
  MOTE_MQTT_ASK,       /* an exchange begins */
  MOTE_MQTT_SEND,      /* PUBLISH is sent up to its message */
  MOTE_MQTT_LISTEN,    /* SUBSCRIBE is sent */
  MOTE_MQTT_OVER       /* all that is left is to deliver what a pause has kept */
};

struct mote_mqtt {
  struct mote_talk talk;
  struct mote_mqtt_in in;
  bool pinged : 1;    /* the answer to a ping is due */
  bool ack_due : 1;   /* for the message with identifier `ack` */
  bool refused : 1;   /* SUBACK says so, or a packet is broken */
  uint16_t ack;
  CURLcode failed;    /* with `refused` */
};

extern const struct mote_protocol mote_protocol_mqtt;

static inline struct mote_mqtt *mote_mqtt_of(const struct mote_transfer *t)
{
  return mote_conn_state(t->run->channel.conn);
}

/* ---- mqtt_packets.c ---- */

mote_talk_ask mote_mqtt_connect, mote_mqtt_take_welcome;
/* Begins the words of a packet, `most` bytes, in the multi's buffer, with room for the head in front of them.
 * CURLE_OUT_OF_MEMORY. */
CURLcode mote_mqtt_open_words(struct mote_transfer *t, struct mote_out *words, size_t most);
/* Writes a word and its length, decoded if it is percent-encoded. */
void mote_mqtt_put_word(struct mote_out *words, struct mote_slice word, bool coded);
/* Sends a packet. CURLE_AGAIN: its rest is in run->unsent. */
CURLcode mote_mqtt_send(struct mote_transfer *t, const struct mote_out *packet);
/* Sends a packet whose head is not written yet. CURLE_TOO_LARGE: the words were cut. */
CURLcode mote_mqtt_send_words(struct mote_transfer *t, uint8_t head, const struct mote_out *words);
/* Sends a PUBLISH likewise, with the first `len` bytes of its message, of `size` bytes, which lie after the
 * words. The caller sends the rest. */
CURLcode mote_mqtt_send_publish(struct mote_transfer *t, const struct mote_out *words, size_t len,
                                size_t size);

#endif
