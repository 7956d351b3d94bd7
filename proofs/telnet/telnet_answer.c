/* A server that asks for the same twice: the second request is not answered, so that two ends cannot go on
 * for ever. */
#include "codec/telnet.h"
#include "proof.h"

int main(void)
{
  struct mote_telnet_options o;
  uint8_t verb = nondet_u8(), option = nondet_u8();
  bool on, wanted;
  ASSUME(verb >= MOTE_TELNET_WILL && verb <= MOTE_TELNET_DONT);
  ASSUME(!(o.us.on & ~o.us.wanted) && !(o.him.on & ~o.him.wanted));
  wanted = option < 64 && ((verb == MOTE_TELNET_DO ? o.us : o.him).wanted >> option & 1);
  (void)mote_telnet_answer(&o, verb, option, &on);
  PROVE(!(o.us.on & ~o.us.wanted) && !(o.him.on & ~o.him.wanted));
  if(verb == MOTE_TELNET_WONT || verb == MOTE_TELNET_DONT || wanted)
    PROVE(!mote_telnet_answer(&o, verb, option, &on) && !on);
  return 0;
}
