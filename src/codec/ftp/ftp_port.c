/* codec/ftp/ftp_port.c: splits CURLOPT_FTPPORT into host and ports (codec/ftp/ftp_port.h). */
#include "codec/ftp/ftp_port.h"

#include <string.h>

/* Reads the number at the beginning. False: there is none, or it is no port. */
static bool ftp_read_port(const char **at, uint16_t *out)
{
  uint64_t port;
  size_t used;
  if(!mote_parse_dec_prefix(mote_slice_of(*at), UINT16_MAX, &port, &used))
    return false;
  *at += used;
  *out = (uint16_t)port;
  return true;
}

static void ftp_port_read_range(const char *at, struct mote_ftp_port *out)
{
  uint16_t first, last;
  if(!ftp_read_port(&at, &first))
    return;
  last = first;
  if(*at++ == '-' && ftp_read_port(&at, &last) && last < first)
    return;
  out->first = first;
  out->last = last;
}

void mote_ftp_port_read(const char *text, struct mote_ftp_port *out)
{
  const char *end = *text == '[' ? strchr(text, ']') : NULL;
  const char *colon = end ? end + 1 : strchr(text, ':');
  memset(out, 0, sizeof *out);
  out->host = mote_slice_of(text);
  if(end) {
    out->host.ptr = text + 1;
    out->host.len = (size_t)(end - text - 1);
  }
  else if(colon && strchr(colon + 1, ':'))
    colon = NULL; /* an IPv6 address */
  else if(colon)
    out->host.len = (size_t)(colon - text);
  if(out->host.len == 1 && *out->host.ptr == '-')
    out->host.len = 0;
  if(colon && *colon == ':')
    ftp_port_read_range(colon + 1, out);
}
