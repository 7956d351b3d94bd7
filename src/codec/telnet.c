/* codec/telnet.c: see codec/telnet.h. */
#include "codec/telnet.h"

#include <string.h>

enum state { IN_DATA, AFTER_CR, AFTER_IAC, IN_REQUEST, IN_SUB, AFTER_SUB_IAC };

#define SEND 1u /* RFC 1091, 1096, 1572 */

static void take_sub(struct mote_telnet_in *in, uint8_t c)
{
  if(in->subs < sizeof in->sub)
    in->sub[in->subs] = c;
  in->subs = (uint8_t)(in->subs + (in->subs < 3));
}

/* The byte after IAC. Returns true where it is data. */
static bool take_command(struct mote_telnet_in *in, uint8_t c)
{
  in->state = IN_DATA;
  if(c >= MOTE_TELNET_WILL && c <= MOTE_TELNET_DONT) {
    in->state = IN_REQUEST;
    in->verb = c;
  }
  else if(c == MOTE_TELNET_SB) {
    in->state = IN_SUB;
    in->subs = 0;
  }
  return c == MOTE_TELNET_IAC;
}

/* The byte after IAC within a subnegotiation. Returns true where that asks for a value. */
static bool take_sub_command(struct mote_telnet_in *in, uint8_t c)
{
  in->state = IN_SUB;
  if(c == MOTE_TELNET_IAC)
    take_sub(in, c);
  else if(c == MOTE_TELNET_SE)
    in->state = IN_DATA;
  return c == MOTE_TELNET_SE && in->subs >= 2 && in->sub[1] == SEND;
}

/* One byte that is no plain data. Returns true with an event. */
static bool take_byte(struct mote_telnet_in *in, uint8_t c, size_t at, struct mote_telnet_event *e)
{
  switch(in->state) {
  case AFTER_IAC:
    e->from = at;
    e->len = take_command(in, c);
    return e->len > 0;
  case IN_REQUEST:
    in->state = IN_DATA;
    e->kind = MOTE_TELNET_REQUEST;
    e->verb = in->verb;
    e->option = c;
    return true;
  case IN_SUB:
    if(c == MOTE_TELNET_IAC)
      in->state = AFTER_SUB_IAC;
    else
      take_sub(in, c);
    return false;
  default:
    if(!take_sub_command(in, c))
      return false;
    e->kind = MOTE_TELNET_SEND;
    e->option = in->sub[0];
    return true;
  }
}

size_t mote_telnet_feed(struct mote_telnet_in *in, const char *bytes, size_t len, struct mote_telnet_event *e)
{
  size_t at = 0;
  memset(e, 0, sizeof *e);
  while(at < len) {
    uint8_t c = (uint8_t)bytes[at];
    if(in->state > AFTER_CR) {
      at++;
      if(take_byte(in, c, at - 1, e))
        return at;
      continue;
    }
    if(c == MOTE_TELNET_IAC || (in->state == AFTER_CR && !c)) {
      if(e->len)
        return at; /* the data before it */
      in->state = c ? AFTER_IAC : IN_DATA;
      at++;
      continue;
    }
    if(!e->len)
      e->from = at;
    e->len++;
    at++;
    in->state = c == '\r' ? AFTER_CR : IN_DATA;
  }
  return at;
}

/* ---- options ---- */

static uint64_t codec_telnet_bit_of(unsigned option)
{
  return option < 64 ? (uint64_t)1 << option : 0;
}

void mote_telnet_want(struct mote_telnet_side *side, unsigned option)
{
  side->wanted |= codec_telnet_bit_of(option);
}

/* The other end agrees to an option, or asks for it. Returns whether it has to be answered. */
static bool turn_on(struct mote_telnet_side *s, uint64_t bit)
{
  bool answered = (s->asked & bit) != 0 || (s->on & bit) != 0;
  s->asked &= ~bit;
  if(s->wanted & bit)
    s->on |= bit;
  return !answered;
}

/* It refuses or ends one. */
static bool turn_off(struct mote_telnet_side *s, uint64_t bit)
{
  bool was = (s->on & bit) != 0;
  s->asked &= ~bit;
  s->on &= ~bit;
  return was;
}

uint8_t mote_telnet_answer(struct mote_telnet_options *o, uint8_t verb, uint8_t option, bool *on)
{
  bool ours = verb == MOTE_TELNET_DO || verb == MOTE_TELNET_DONT;
  struct mote_telnet_side *s = ours ? &o->us : &o->him;
  uint64_t bit = codec_telnet_bit_of(option);
  bool before = (s->on & bit) != 0, answers;
  answers = verb == MOTE_TELNET_DO || verb == MOTE_TELNET_WILL ? turn_on(s, bit) : turn_off(s, bit);
  *on = ours && !before && (s->on & bit) != 0;
  if(!answers)
    return 0;
  if(s->on & bit)
    return ours ? MOTE_TELNET_WILL : MOTE_TELNET_DO;
  return ours ? MOTE_TELNET_WONT : MOTE_TELNET_DONT;
}

/* ---- writing ---- */

static char *telnet_reserve(struct mote_telnet_out *out, size_t len)
{
  char *at = out->bytes + out->len;
  if(len > out->most - out->kept - out->len)
    return NULL;
  out->len += len;
  return at;
}

bool mote_telnet_put_command(struct mote_telnet_out *out, uint8_t verb, uint8_t option)
{
  char *at = telnet_reserve(out, 3);
  if(!at)
    return false;
  at[0] = (char)MOTE_TELNET_IAC;
  at[1] = (char)verb;
  at[2] = (char)option;
  return true;
}

bool mote_telnet_put(struct mote_telnet_out *out, const char *bytes, size_t len)
{
  size_t i, doubled = 0;
  char *at;
  for(i = 0; i < len; i++)
    doubled += (uint8_t)bytes[i] == MOTE_TELNET_IAC;
  at = telnet_reserve(out, len + doubled);
  for(i = 0; at && i < len; i++) {
    *at++ = bytes[i];
    if((uint8_t)bytes[i] == MOTE_TELNET_IAC)
      *at++ = (char)MOTE_TELNET_IAC;
  }
  return at != NULL;
}

bool mote_telnet_begin_sub(struct mote_telnet_out *out, uint8_t option)
{
  if(out->most - out->kept - out->len < 5 || !mote_telnet_put_command(out, MOTE_TELNET_SB, option))
    return false;
  out->kept = 2;
  return true;
}

void mote_telnet_end_sub(struct mote_telnet_out *out)
{
  char *at;
  out->kept = 0;
  at = telnet_reserve(out, 2);
  if(at) {
    at[0] = (char)MOTE_TELNET_IAC;
    at[1] = (char)MOTE_TELNET_SE;
  }
}

/* Returns false where there is no room for it. */
static bool telnet_ask_one(struct mote_telnet_side *s, uint8_t option, uint8_t verb,
                           struct mote_telnet_out *out)
{
  uint64_t bit = codec_telnet_bit_of(option);
  if(!(s->wanted & ~s->on & ~s->asked & bit))
    return true;
  if(!mote_telnet_put_command(out, verb, option))
    return false;
  s->asked |= bit;
  return true;
}

/* An echo is the server's to offer. */
void mote_telnet_ask(struct mote_telnet_options *o, struct mote_telnet_out *out)
{
  static const uint8_t options[] = {MOTE_TELNET_BINARY, MOTE_TELNET_SGA, MOTE_TELNET_TTYPE, MOTE_TELNET_NAWS,
                                    MOTE_TELNET_XDISPLOC, MOTE_TELNET_ENVIRON};
  size_t i;
  for(i = 0; i < sizeof options && !o->begun; i++)
    if(!telnet_ask_one(&o->us, options[i], MOTE_TELNET_WILL, out) ||
       !telnet_ask_one(&o->him, options[i], MOTE_TELNET_DO, out))
      return;
  o->begun = true;
}
