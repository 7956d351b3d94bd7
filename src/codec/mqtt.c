/* codec/mqtt.c: reads and writes MQTT packets (codec/mqtt.h). */
#include "base/out.h"
#include "base/text.h"
#include "codec/mqtt.h"

#include <string.h>

#define DIGITS_MOST 4u /* of a remaining length */
#define NUMBER 2u      /* bytes of a number: the length of the topic, the identifier */

static bool is_publish(uint8_t head)
{
  return (head & 0xf0u) == MOTE_MQTT_PUBLISH;
}

/* Bytes of a PUBLISH before its message, which are known when the length of its topic is. */
static uint32_t before_message(const struct mote_mqtt_in *in)
{
  return NUMBER + in->topic + (mote_mqtt_qos(in->head) ? NUMBER : 0);
}

static bool has_right_size(const struct mote_mqtt_in *in)
{
  switch(in->head) {
  case MOTE_MQTT_CONNACK:
  case MOTE_MQTT_PUBACK:
    return in->left == 2;
  case MOTE_MQTT_SUBACK:
    return in->left == 3;
  case MOTE_MQTT_PINGRESP:
  case MOTE_MQTT_DISCONNECT:
    return !in->left;
  default:
    return is_publish(in->head) && mote_mqtt_qos(in->head) < 3 && in->left >= NUMBER;
  }
}

/* Takes the head. False: it is broken. */
static bool codec_mqtt_take_head(struct mote_mqtt_in *in, const char *bytes, size_t len, size_t *used)
{
  while(*used < len && !in->sized) {
    uint8_t byte = (uint8_t)bytes[(*used)++];
    if(!in->head) {
      memset(in, 0, sizeof *in);
      in->head = byte;
      if(!byte)
        return false;
      continue;
    }
    in->left |= (uint32_t)(byte & 127u) << (7 * in->digits++);
    in->sized = byte < 128;
    if(in->sized ? !has_right_size(in) : in->digits == DIGITS_MOST)
      return false;
  }
  return true;
}

/* Returns the byte with this number after the head, which is among the n at `bytes`. */
static bool has_byte(const struct mote_mqtt_in *in, size_t n, uint32_t number)
{
  return number >= in->at && number - in->at < n;
}

static void put_byte(uint16_t *number, unsigned which, char byte)
{
  *number = (uint16_t)(which ? *number | (uint8_t)byte : (uint8_t)byte << 8);
}

/* Notes the numbers in n bytes of a PUBLISH. False: the topic is longer than the packet. */
static bool note_publish(struct mote_mqtt_in *in, const char *bytes, size_t n)
{
  unsigned i;
  for(i = 0; i < NUMBER; i++)
    if(has_byte(in, n, i))
      put_byte(&in->topic, i, bytes[i - in->at]);
  if(in->at + n < NUMBER)
    return true;
  for(i = 0; mote_mqtt_qos(in->head) && i < NUMBER; i++) {
    uint32_t number = NUMBER + in->topic + i;
    if(has_byte(in, n, number))
      put_byte(&in->id, i, bytes[number - in->at]);
  }
  return before_message(in) <= in->at + in->left;
}

static void note_small(struct mote_mqtt_in *in, const char *bytes, size_t n)
{
  memcpy(in->small + in->at, bytes, n);
  if(in->left == n && in->at + n >= NUMBER)
    in->id = (uint16_t)(in->small[0] << 8 | in->small[1]);
}

size_t mote_mqtt_feed(struct mote_mqtt_in *in, const char *bytes, size_t len, struct mote_mqtt_event *event)
{
  bool publish;
  size_t used = 0, n;
  memset(event, 0, sizeof *event);
  event->verdict = MOTE_MQTT_BROKEN;
  if(in->sized && !in->left) /* the packet of the last event */
    memset(in, 0, sizeof *in);
  if(!codec_mqtt_take_head(in, bytes, len, &used))
    return used;
  if(!in->sized) {
    event->verdict = MOTE_MQTT_MORE;
    return used;
  }
  n = len - used < in->left ? len - used : in->left;
  publish = is_publish(in->head);
  if(publish && !note_publish(in, bytes + used, n))
    return used;
  if(!publish)
    note_small(in, bytes + used, n);
  event->from = used;
  event->len = publish ? n : 0;
  in->at += (uint32_t)n;
  in->left -= (uint32_t)n;
  event->verdict = in->left ? (event->len ? MOTE_MQTT_PIECE : MOTE_MQTT_MORE) : MOTE_MQTT_PACKET;
  event->head = in->head;
  return used + n;
}

/* ---- writing ---- */

void mote_mqtt_put_head(struct mote_out *o, uint8_t head, uint32_t left)
{
  mote_out_char(o, (char)head);
  do {
    uint8_t digit = left & 127u;
    left >>= 7;
    mote_out_char(o, (char)(left ? digit | 128u : digit));
  } while(left);
}

void mote_mqtt_put_text(struct mote_out *o, struct mote_slice text)
{
  mote_out_16(o, (uint16_t)text.len);
  mote_out_slice(o, text);
}
