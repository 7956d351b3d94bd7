/* net/names/preset.c: one line of CURLOPT_RESOLVE. */
#include "net/names/preset.h"

#include <string.h>

#include "net/names/address.h"

/* "HOST:PORT", or "HOST:PORT:" before addresses. *rest is what follows the second colon, or the end. */
static bool parse_host_port(const char *text, struct mote_preset *p, const char **rest)
{
  struct mote_slice port;
  const char *colon;
  uint64_t number;
  p->host.ptr = text;
  p->host.len = strcspn(text, ":");
  colon = text + p->host.len;
  if(*text == '[') {
    const char *close = strchr(text, ']');
    if(!close)
      return false;
    p->host.ptr = text + 1;
    p->host.len = (size_t)(close - text - 1);
    colon = close + 1;
  }
  if(*colon != ':')
    return false;
  port.ptr = colon + 1;
  port.len = strcspn(port.ptr, ":");
  if(!mote_parse_dec(port, 65535, &number))
    return false;
  p->port = (uint16_t)number;
  *rest = port.ptr + port.len;
  *rest += **rest == ':';
  return true;
}

static bool parse_addresses(const char *text, struct mote_preset *p)
{
  struct mote_addr a;
  while(*text) {
    struct mote_slice s = {text, strcspn(text, ",")};
    text += s.len;
    text += *text == ',';
    if(!s.len)
      continue;
    if(s.len > 1 && s.ptr[0] == '[' && s.ptr[s.len - 1] == ']') {
      s.ptr++;
      s.len -= 2;
    }
    if(!mote_addr_parse(s, &a))
      return false;
    if(p->count < MOTE_PRESET_MAX)
      p->addrs[p->count++] = a;
  }
  return p->count > 0;
}

bool mote_preset_parse(const char *line, struct mote_preset *out)
{
  const char *rest;
  memset(out, 0, sizeof *out);
  if(*line == '-') {
    out->kind = parse_host_port(line + 1, out, &rest) ? MOTE_PRESET_REMOVE : MOTE_PRESET_IGNORE;
    return true;
  }
  if(*line == '+') {
    out->kind = MOTE_PRESET_MORTAL;
    line++;
  }
  return parse_host_port(line, out, &rest) && parse_addresses(rest, out);
}
