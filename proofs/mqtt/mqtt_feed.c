/* Any bytes in any state that an earlier piece can have left, so that it holds for any number of pieces: what
 * is used and given out lies within the piece, and the state is again one of those. */
#include "codec/mqtt.h"
#include "proof.h"

static bool proof_mqtt_holds(const struct mote_mqtt_in *in)
{
  bool publish = (in->head & 0xf0u) == MOTE_MQTT_PUBLISH;
  if(!in->head)
    return !in->sized;
  if(!in->sized)
    return !in->at && in->digits < 4 && in->left < 1u << 7 * in->digits;
  return in->at <= MOTE_MQTT_MOST && in->left <= MOTE_MQTT_MOST - in->at &&
         (publish || in->at + in->left <= 3);
}

int main(void)
{
  struct mote_mqtt_in in;
  struct mote_mqtt_event e;
  char bytes[BOUND];
  struct mote_slice s = proof_any_slice(bytes, BOUND);
  size_t used;
  ASSUME(proof_mqtt_holds(&in));
  used = mote_mqtt_feed(&in, s.ptr, s.len, &e);
  PROVE(used <= s.len);
  PROVE(e.from <= used && e.len <= used - e.from);
  if(e.verdict != MOTE_MQTT_BROKEN) {
    PROVE(e.verdict != MOTE_MQTT_MORE || used == s.len);
    PROVE(proof_mqtt_holds(&in));
  }
  return 0;
}
