/* codec/socks/socks_gss.c: heads of frames, byte by byte (codec/socks/socks_gss.h). */
#include "codec/socks/socks_gss.h"

#define VERSION 1
#define REFUSED 0xff /* in the place of a type */

void mote_socks_gss_put(uint8_t out[MOTE_SOCKS_GSS_HEAD], enum mote_socks_gss_type type, uint16_t len)
{
  out[0] = VERSION;
  out[1] = (uint8_t)type;
  out[2] = (uint8_t)(len >> 8);
  out[3] = (uint8_t)len;
}

void mote_socks_gss_expect(struct mote_socks_gss_head *h, enum mote_socks_gss_type type)
{
  *h = (struct mote_socks_gss_head){.type = (uint8_t)type};
}

/* A refusal ends after two bytes. */
size_t mote_socks_gss_missing(const struct mote_socks_gss_head *h)
{
  return (h->have < 2 ? 2u : MOTE_SOCKS_GSS_HEAD) - h->have;
}

static enum mote_socks_gss_verdict codec_socks_gss_take(struct mote_socks_gss_head *h, uint8_t byte)
{
  switch(h->have++) {
  case 0:
    return byte == VERSION ? MOTE_SOCKS_GSS_OK : MOTE_SOCKS_GSS_WRONG;
  case 1:
    if(byte == h->type)
      return MOTE_SOCKS_GSS_OK;
    return byte == REFUSED ? MOTE_SOCKS_GSS_REFUSED : MOTE_SOCKS_GSS_WRONG;
  case 2:
    h->len = (uint16_t)(byte << 8);
    return MOTE_SOCKS_GSS_OK;
  default:
    h->len = (uint16_t)(h->len | byte);
    return MOTE_SOCKS_GSS_OK;
  }
}

enum mote_socks_gss_verdict mote_socks_gss_feed(struct mote_socks_gss_head *h, const uint8_t *bytes,
                                                size_t len)
{
  enum mote_socks_gss_verdict v = MOTE_SOCKS_GSS_OK;
  size_t i;
  for(i = 0; i < len && !v; i++)
    v = codec_socks_gss_take(h, bytes[i]);
  return v;
}
