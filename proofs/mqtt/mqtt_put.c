/* Any head and text into any room. */
#include "base/out.h"
#include "codec/mqtt.h"
#include "proof.h"

int main(void)
{
  char room[BOUND], in[BOUND];
  size_t most = proof_any_up_to(BOUND);
  struct mote_out o = mote_out_in(proof_room(room, BOUND, most), most);
  uint32_t left = (uint32_t)proof_any_up_to(MOTE_MQTT_MOST);
  mote_mqtt_put_head(&o, nondet_u8(), left);
  PROVE(o.len <= MOTE_MQTT_HEAD_MOST);
  mote_mqtt_put_text(&o, proof_any_slice(in, BOUND));
  PROVE(o.len <= most);
  return 0;
}
