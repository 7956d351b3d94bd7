/* stream/haproxy.c: the line of the PROXY protocol over the layer below (stream/haproxy.h). */
#include "stream/haproxy.h"

#include "base/containers/list.h"
#include "base/memory.h"
#include "base/text/format.h"
#include "net/names/address.h"
#include "net/stream.h"

#define LINE_ROOM 108u /* bytes of the longest line, as the protocol says, and a NUL */

struct layer {
  struct mote_stream stream;
  uint8_t len, sent; /* bytes of the line */
  char line[LINE_ROOM];
};

static CURLcode haproxy_handshake(struct mote_stream *s, bool *done)
{
  struct layer *l = mote_container_of(s, struct layer, stream);
  CURLcode rc = CURLE_OK;
  while(!rc && l->sent < l->len) {
    size_t n;
    rc = s->below->ops->send(s->below, l->line + l->sent, (size_t)(l->len - l->sent), &n);
    if(!rc)
      l->sent = (uint8_t)(l->sent + n);
  }
  *done = !rc;
  return rc == CURLE_AGAIN ? CURLE_OK : rc;
}

static unsigned haproxy_want(const struct mote_stream *s, unsigned interest)
{
  (void)s;
  (void)interest;
  return MOTE_WANT_OUT;
}

static void haproxy_close_layer(struct mote_stream *s)
{
  struct layer *l = mote_container_of(s, struct layer, stream);
  mote_mem_free(s->env->account, MOTE_PART_CONN, l, sizeof *l);
}

static const struct mote_stream_ops ops =
  {.handshake = haproxy_handshake, .want = haproxy_want, .close = haproxy_close_layer};

static int print_line(char line[LINE_ROOM], const struct mote_addr *source, const struct mote_addr *target)
{
  char from[MOTE_ADDR_TEXT_MAX], to[MOTE_ADDR_TEXT_MAX];
  if(source->family < MOTE_FAMILY_IP4 || source->family != target->family)
    return mote_snprintf(line, LINE_ROOM, "PROXY UNKNOWN\r\n");
  (void)mote_addr_print(source, from);
  (void)mote_addr_print(target, to);
  return mote_snprintf(line, LINE_ROOM, "PROXY TCP%d %s %s %u %u\r\n", source->family, from, to,
                       (unsigned)source->port, (unsigned)target->port);
}

CURLcode mote_haproxy_new(struct mote_stream **out, struct mote_stream *below, struct mote_stream_env *env,
                          const struct mote_addr *source, const struct mote_addr *target)
{
  struct layer *l = mote_mem_zalloc(env->account, MOTE_PART_CONN, sizeof *l);
  *out = NULL;
  if(!l)
    return CURLE_OUT_OF_MEMORY;
  l->stream = (struct mote_stream){.ops = &ops, .below = below, .env = env, .role = MOTE_ROLE_TUNNEL};
  l->len = (uint8_t)print_line(l->line, source, target);
  *out = &l->stream;
  return CURLE_OK;
}
