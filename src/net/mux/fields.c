/* net/mux/fields.c: what may be sent as a field, and what a status is (net/mux/fields.h). */
#include "net/mux/fields.h"

bool mote_mux_is_of_connection(struct mote_slice name, struct mote_slice value)
{
  static const char *const names[] = {"connection", "upgrade", "keep-alive", "proxy-connection",
                                      "transfer-encoding"};
  const uint32_t lengths = 1u << 2 | 1u << 7 | 1u << 10 | 1u << 16 | 1u << 17; /* of these and TE */
  size_t i;
  if(name.len > 17 || !(lengths >> name.len & 1u))
    return false;
  if(mote_slice_is(name, "te"))
    return !mote_slice_is(value, "trailers");
  for(i = 0; i < sizeof names / sizeof *names; i++)
    if(mote_slice_is(name, names[i]))
      return true;
  return false;
}

/* Blanks after a name do not hide it. */
enum mote_mux_verdict mote_mux_judge(const char *text, size_t end, struct mote_mux_note *n)
{
  struct mote_slice name = {text + n->name, n->name_len}, value = {text + n->value, end - n->value};
  bool broken = mote_mux_has_line_end(name.ptr, end - n->name);
  while(name.len && mote_is_blank(name.ptr[name.len - 1]))
    name.len--;
  mote_slice_skip_blanks(&value);
  while(value.len && mote_is_blank(value.ptr[value.len - 1]))
    value.len--;
  n->value = (uint32_t)(value.ptr - text);
  n->value_len = (uint32_t)value.len;
  if(broken)
    return MOTE_MUX_HAS_LINE_END;
  return mote_mux_is_of_connection(name, value) ? MOTE_MUX_LEFT_OUT : MOTE_MUX_SENT;
}

struct mote_mux_field mote_mux_field_at(char *text, const struct mote_mux_note *n)
{
  struct mote_mux_field f = {{text + n->name, n->name_len}, {text + n->value, n->value_len}, false};
  char *at = text + n->name;
  for(; at < text + n->name + n->name_len; at++)
    *at = mote_to_lower(*at);
  return f;
}

uint16_t mote_mux_status(struct mote_slice value)
{
  uint64_t code;
  if(value.len != 3 || !mote_parse_dec(value, 999, &code) || code < 100)
    return 0;
  return (uint16_t)code;
}
