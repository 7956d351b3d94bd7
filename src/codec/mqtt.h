/* codec/mqtt.h: control packets of MQTT 3.1.1 (OASIS standard, sections 2 and 3).
 *
 * A packet has a byte of type and flags, its remaining length in one to four bytes, and that many bytes. Of a
 * PUBLISH these are given out as they come: the length of the topic, the topic, an identifier with QoS 1 or
 * 2, and the message. The others that a client gets have at most MOTE_MQTT_SMALL bytes.
 *
 * Invariants: no byte is looked at twice, and none is kept but those of small packets.
 * Ownership:  nothing is allocated.
 * Failure:    MOTE_MQTT_BROKEN, after which the connection cannot be read any more.
 * Tests:      tests/unit/codec/test_mqtt.c, fuzz/fuzz_mqtt.c */
#ifndef MOTE_CODEC_MQTT_H
#define MOTE_CODEC_MQTT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mote_out;
struct mote_slice;

#define MOTE_MQTT_SMALL 4u          /* bytes */
#define MOTE_MQTT_HEAD_MOST 5u      /* bytes of type and remaining length */
#define MOTE_MQTT_MOST 268435455u   /* the largest remaining length (section 2.2.3) */

/* The first byte of a packet: type and the flags that this type must have (section 2.2). */
enum mote_mqtt_packet {
  MOTE_MQTT_CONNECT = 0x10,
  MOTE_MQTT_CONNACK = 0x20,
  MOTE_MQTT_PUBLISH = 0x30, /* and flags */
  MOTE_MQTT_PUBACK = 0x40,
  MOTE_MQTT_SUBSCRIBE = 0x82,
  MOTE_MQTT_SUBACK = 0x90,
  MOTE_MQTT_PINGREQ = 0xc0,
  MOTE_MQTT_PINGRESP = 0xd0,
  MOTE_MQTT_DISCONNECT = 0xe0
};

/* How far a packet has come. Zero: the next byte begins one. */
struct mote_mqtt_in {
  uint32_t left;   /* bytes that are still to come; before `sized`: the remaining length so far */
  uint32_t at;     /* bytes that have come after the head */
  uint16_t topic;  /* PUBLISH: bytes of the topic, when at > 1 */
  uint16_t id;     /* PUBLISH with QoS 1 or 2, PUBACK, SUBACK: identifier */
  uint8_t head;    /* its first byte, 0: none has come */
  uint8_t digits;  /* bytes of the remaining length that have come */
  bool sized;      /* all of them have come */
  uint8_t small[MOTE_MQTT_SMALL]; /* what follows the head, but not of a PUBLISH */
};

enum mote_mqtt_verdict {
  MOTE_MQTT_MORE,   /* all bytes are used */
  MOTE_MQTT_PIECE,  /* bytes of a PUBLISH */
  MOTE_MQTT_PACKET, /* the end of a packet, also of a PUBLISH, whose last bytes these may be */
  MOTE_MQTT_BROKEN
};

struct mote_mqtt_event {
  enum mote_mqtt_verdict verdict;
  size_t from, len; /* PIECE, PACKET: which of the bytes are a PUBLISH's; len 0: none */
  uint8_t head;     /* PACKET: its first byte */
};

/* Takes bytes up to the next event. Returns how many it has used. After PACKET `in` still has id and small,
 * until the next call. */
size_t mote_mqtt_feed(struct mote_mqtt_in *in, const char *bytes, size_t len, struct mote_mqtt_event *event);

static inline unsigned mote_mqtt_qos(uint8_t head)
{
  return head >> 1 & 3u;
}

/* Write the beginning of a packet whose rest has `left` bytes, at most MOTE_MQTT_MOST; a text of at most
 * 65,535 bytes after its length. Numbers are those of mote_out_16(). */
void mote_mqtt_put_head(struct mote_out *o, uint8_t head, uint32_t left);
void mote_mqtt_put_text(struct mote_out *o, struct mote_slice text);

#endif
