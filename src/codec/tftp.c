/* codec/tftp.c: reads and writes packets of TFTP (codec/tftp.h). */
#include "codec/tftp.h"

#include <string.h>

static uint16_t codec_tftp_number_at(const char *bytes)
{
  return (uint16_t)((unsigned char)bytes[0] << 8 | (unsigned char)bytes[1]);
}

/* The text of an error ends with a NUL, which some servers leave out. */
static struct mote_slice up_to_nul(struct mote_slice s)
{
  const char *nul = s.len ? memchr(s.ptr, 0, s.len) : NULL;
  if(nul)
    s.len = (size_t)(nul - s.ptr);
  return s;
}

bool mote_tftp_read(struct mote_tftp_packet *p, const char *bytes, size_t len)
{
  bool oack;
  size_t head;
  memset(p, 0, sizeof *p);
  if(len < 2)
    return false;
  p->code = codec_tftp_number_at(bytes);
  oack = p->code == MOTE_TFTP_OACK;
  head = oack ? 2 : MOTE_TFTP_HEAD;
  if(len < head || (!oack && (p->code < MOTE_TFTP_DATA || p->code > MOTE_TFTP_ERROR)))
    return false;
  p->number = oack ? 0 : codec_tftp_number_at(bytes + 2);
  p->rest.ptr = bytes + head;
  p->rest.len = len - head;
  if(p->code == MOTE_TFTP_ERROR)
    p->rest = up_to_nul(p->rest);
  return true;
}

static bool codec_tftp_take_text(struct mote_slice *rest, struct mote_slice *text)
{
  const char *nul = rest->len ? memchr(rest->ptr, 0, rest->len) : NULL;
  if(!nul)
    return false;
  text->ptr = rest->ptr;
  text->len = (size_t)(nul - rest->ptr);
  rest->ptr = nul + 1;
  rest->len -= text->len + 1;
  return true;
}

bool mote_tftp_next_option(struct mote_slice *rest, struct mote_slice *name, struct mote_slice *value)
{
  struct mote_slice after = *rest;
  if(!codec_tftp_take_text(&after, name) || !codec_tftp_take_text(&after, value))
    return false;
  *rest = after;
  return true;
}

char *mote_tftp_put_head(char *at, enum mote_tftp_code code, uint16_t number)
{
  *at++ = 0;
  *at++ = (char)code;
  *at++ = (char)(number >> 8);
  *at++ = (char)(number & 0xff);
  return at;
}

char *mote_tftp_put_text(char *at, struct mote_slice text)
{
  if(text.len)
    memcpy(at, text.ptr, text.len);
  at[text.len] = 0;
  return at + text.len + 1;
}

static char *put_option(char *at, const char *name, uint64_t value)
{
  at = mote_tftp_put_text(at, mote_slice_of(name));
  at += mote_print_dec(at, value);
  return at + 1;
}

size_t mote_tftp_put_request(char room[MOTE_TFTP_REQUEST_MOST], const struct mote_tftp_request *r)
{
  char options[80], *end = options, *at = room;
  const char *mode = r->netascii ? "netascii" : "octet";
  if(r->options) {
    end = put_option(end, "tsize", r->size);
    end = put_option(end, "blksize", r->block);
    end = put_option(end, "timeout", r->timeout);
  }
  if(r->file.len + strlen(mode) + 4 + (size_t)(end - options) > MOTE_TFTP_REQUEST_MOST)
    return 0;
  *at++ = 0;
  *at++ = (char)r->code;
  at = mote_tftp_put_text(at, r->file);
  at = mote_tftp_put_text(at, mote_slice_of(mode));
  memcpy(at, options, (size_t)(end - options));
  return (size_t)(at - room) + (size_t)(end - options);
}
