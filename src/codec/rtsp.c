/* codec/rtsp.c: see codec/rtsp.h. */
#include "base/text.h"
#include "codec/rtsp.h"

#include <limits.h>
#include <string.h>

static bool codec_rtsp_is_known(const struct mote_rtsp_channels *c, uint8_t channel)
{
  return (c->bits[channel / 8] >> channel % 8 & 1) != 0;
}

static size_t packet_size(const char *head)
{
  return MOTE_RTSP_PACKET_HEAD + ((size_t)(uint8_t)head[2] << 8 | (uint8_t)head[3]);
}

/* Reports whether a response or a packet begins here, as far as the bytes go. */
static bool may_begin(const char *p, size_t len, const struct mote_rtsp_channels *known)
{
  if(*p == '$')
    return len < 2 || codec_rtsp_is_known(known, (uint8_t)p[1]);
  return !memcmp(p, "RTSP/", len < 5 ? len : 5);
}

enum mote_rtsp_next mote_rtsp_find(const char *bytes, size_t len, const struct mote_rtsp_channels *known,
                                   size_t *skip, size_t *size)
{
  size_t at = 0, left;
  *size = 0;
  while(at < len && !may_begin(bytes + at, len - at, known))
    at++;
  *skip = at;
  left = len - at;
  if(!left)
    return MOTE_RTSP_MORE;
  if(bytes[at] != '$')
    return left < 5 ? MOTE_RTSP_MORE : MOTE_RTSP_RESPONSE;
  if(left < MOTE_RTSP_PACKET_HEAD)
    return MOTE_RTSP_MORE;
  *size = packet_size(bytes + at);
  return left < *size ? MOTE_RTSP_MORE : MOTE_RTSP_PACKET;
}

unsigned mote_rtsp_status(const char *line, size_t len)
{
  const char *p;
  if(len < 13 || memcmp(line, "RTSP/1.0 ", 9) != 0 || memchr(line, 0, len))
    return 0;
  p = line + 9;
  if(p[0] < '1' || !mote_is_digit(p[0]) || !mote_is_digit(p[1]) || !mote_is_digit(p[2]) ||
     !mote_is_space(p[3]))
    return 0;
  return (unsigned)((p[0] - '0') * 100 + (p[1] - '0') * 10 + (p[2] - '0'));
}

bool mote_rtsp_cseq(struct mote_slice value, long *cseq)
{
  uint64_t n;
  if(!mote_parse_dec(mote_slice_trim(value), INT_MAX, &n))
    return false;
  *cseq = (long)n;
  return true;
}

struct mote_slice mote_rtsp_session(struct mote_slice value)
{
  struct mote_slice id = mote_slice_trim(value);
  size_t n = 0;
  while(n < id.len && id.ptr[n] != ';' && (unsigned char)id.ptr[n] > ' ')
    n++;
  id.len = n;
  return id;
}

static bool take_channel(struct mote_slice *s, uint8_t *channel)
{
  uint64_t n;
  size_t used;
  if(!mote_parse_dec_prefix(*s, 255, &n, &used) || !used)
    return false;
  *channel = (uint8_t)n;
  mote_slice_skip(s, used);
  return true;
}

/* One parameter: "interleaved=0" or "interleaved=0-1". */
static void codec_rtsp_take_parameter(struct mote_slice p, struct mote_rtsp_channels *channels)
{
  static const char name[] = "interleaved=";
  struct mote_slice front = {p.ptr, sizeof name - 1};
  uint8_t first, last;
  unsigned i;
  if(p.len < sizeof name || !mote_slice_is(front, name))
    return;
  mote_slice_skip(&p, sizeof name - 1);
  if(!take_channel(&p, &first))
    return;
  last = first;
  if(p.len && *p.ptr == '-') {
    mote_slice_skip(&p, 1);
    if(!take_channel(&p, &last))
      return;
  }
  for(i = first; i <= last; i++)
    channels->bits[i / 8] |= (uint8_t)(1u << i % 8);
}

void mote_rtsp_transport(struct mote_slice value, struct mote_rtsp_channels *channels)
{
  while(value.len) {
    struct mote_slice p = {value.ptr, 0};
    while(p.len < value.len && p.ptr[p.len] != ';' && p.ptr[p.len] != ',')
      p.len++;
    mote_slice_skip(&value, p.len < value.len ? p.len + 1 : p.len);
    codec_rtsp_take_parameter(mote_slice_trim(p), channels);
  }
}
