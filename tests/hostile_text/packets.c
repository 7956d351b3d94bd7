/* tests/hostile_text/packets.c: servers of protocols that are not in lines (hostile.h). */
#include "hostile.h"

#include <nghttp2/nghttp2.h>
#include <string.h>
#include <strings.h>

/* ---- HTTP/2 ---- */

static int on_header(nghttp2_session *session, const nghttp2_frame *frame, const uint8_t *name,
                     size_t name_len, const uint8_t *value, size_t value_len, uint8_t flags, void *user)
{
  struct peer *p = user;
  (void)session, (void)frame, (void)flags;
  if(name_len >= 3 && !strncasecmp((const char *)name, HOSTILE_MARK, 3))
    p->wrong = "a field that the application did not write";
  if(memchr(value, '\r', value_len) || memchr(value, '\n', value_len) || memchr(value, 0, value_len) ||
     memchr(name, '\r', name_len) || memchr(name, '\n', name_len))
    p->wrong = "a line end in a field";
  return 0;
}

static ssize_t send_hi(nghttp2_session *session, int32_t id, uint8_t *to, size_t most, uint32_t *flags,
                       nghttp2_data_source *source, void *user)
{
  (void)session, (void)id, (void)most, (void)source, (void)user;
  memcpy(to, "hi", 2);
  *flags = NGHTTP2_DATA_FLAG_EOF;
  return 2;
}

/* What asks for a tunnel is refused. */
static int on_frame(nghttp2_session *session, const nghttp2_frame *frame, void *user)
{
  const nghttp2_nv status = {(uint8_t *)(uintptr_t)":status", (uint8_t *)(uintptr_t)"200", 7, 3, 0};
  const nghttp2_nv refused = {(uint8_t *)(uintptr_t)":status", (uint8_t *)(uintptr_t)"503", 7, 3, 0};
  nghttp2_data_provider body = {.read_callback = send_hi};
  (void)user;
  if(frame->hd.type == NGHTTP2_HEADERS && !(frame->hd.flags & NGHTTP2_FLAG_END_STREAM) &&
     !nghttp2_session_get_stream_user_data(session, frame->hd.stream_id))
    return nghttp2_submit_response(session, frame->hd.stream_id, &refused, 1, NULL);
  if(frame->hd.type > NGHTTP2_HEADERS || !(frame->hd.flags & NGHTTP2_FLAG_END_STREAM))
    return 0;
  return nghttp2_submit_response(session, frame->hd.stream_id, &status, 1, &body);
}

static bool open_session(struct peer *p)
{
  nghttp2_session_callbacks *c = NULL;
  nghttp2_option *o = NULL;
  bool ok = !nghttp2_session_callbacks_new(&c) && !nghttp2_option_new(&o);
  if(ok) {
    nghttp2_session_callbacks_set_on_header_callback(c, on_header);
    nghttp2_session_callbacks_set_on_frame_recv_callback(c, on_frame);
    nghttp2_option_set_no_http_messaging(o, 1);
    ok = !nghttp2_session_server_new2(&p->h2, c, p, o) &&
         !nghttp2_submit_settings(p->h2, NGHTTP2_FLAG_NONE, NULL, 0);
  }
  nghttp2_session_callbacks_del(c);
  nghttp2_option_del(o);
  return ok;
}

void take_h2(struct peer *p)
{
  const uint8_t *bytes;
  ssize_t n = 0;
  if(p->h2 || open_session(p))
    n = nghttp2_session_mem_recv(p->h2, (const uint8_t *)p->in + p->used, p->len - p->used);
  if(n < 0)
    p->wrong = "no frames of HTTP/2";
  p->used = p->len;
  while(n >= 0 && (n = nghttp2_session_mem_send(p->h2, &bytes)) > 0)
    peer_send(p, bytes, (size_t)n);
  if(n < 0 || !nghttp2_session_want_read(p->h2))
    peer_end(p);
}

/* ---- SOCKS 5 ---- */

enum { SOCKS_METHODS, SOCKS_LOGIN, SOCKS_REQUEST, SOCKS_OPEN };

/* Returns how many bytes the client's next message has, 0 if more is to come. */
static size_t socks_length(const struct peer *p)
{
  const unsigned char *m = (const unsigned char *)p->in + p->used;
  size_t have = p->len - p->used, len;
  if(have < 5)
    return p->stage == SOCKS_METHODS && have >= 2 && have >= m[1] + 2u ? m[1] + 2u : 0;
  if(p->stage == SOCKS_METHODS)
    len = m[1] + 2u;
  else if(p->stage == SOCKS_LOGIN)
    len = have > m[1] + 2u ? m[1] + 3u + m[m[1] + 2u] : have + 1;
  else
    len = m[3] == 1 ? 10 : m[3] == 3 ? m[4] + 7u : 22;
  return have >= len ? len : 0;
}

bool take_socks(struct peer *p)
{
  while(p->stage < SOCKS_OPEN) {
    size_t len = socks_length(p);
    const char *m = p->in + p->used;
    if(!len)
      return false;
    if(p->stage == SOCKS_METHODS && memchr(m + 2, 2, len - 2))
      peer_send(p, "\x05\x02", 2);
    else if(p->stage == SOCKS_METHODS) {
      peer_send(p, "\x05\x00", 2);
      p->stage = SOCKS_LOGIN;
    }
    else if(p->stage == SOCKS_LOGIN)
      peer_send(p, "\x01\x00", 2);
    else
      peer_send(p, "\x05\x00\x00\x01\x00\x00\x00\x00\x00\x00", 10);
    p->stage++;
    p->used += len;
  }
  return true;
}

/* ---- MQTT ---- */

/* false: more is to come. */
static bool mqtt_length(const struct peer *p, size_t *head, size_t *len)
{
  size_t at = p->used + 1, shift = 0;
  *len = 0;
  do {
    if(at >= p->len)
      return false;
    *len |= (size_t)(p->in[at] & 127) << shift;
    shift += 7;
  } while((p->in[at++] & 128) && shift < 28);
  *head = at - p->used;
  return p->len - at >= *len;
}

/* What begins otherwise is the line of CURLOPT_HAPROXY_CLIENT_IP. */
void take_mqtt(struct peer *p)
{
  size_t head, len;
  if(p->len && (unsigned char)*p->in >> 4 != 1) {
    peer_end(p);
    return;
  }
  while(p->used < p->len && mqtt_length(p, &head, &len)) {
    const char *packet = p->in + p->used;
    char answer[] = "\x90\x03\x00\x00\x00\x30\x05\x00\x01thi\xe0";
    switch((unsigned char)*packet >> 4) {
    case 1:
      peer_send(p, "\x20\x02\x00\x00", 4);
      break;
    case 8:
      memcpy(answer + 2, packet + head, 2);
      peer_send(p, answer, 14);
      break;
    case 3:
    case 14:
      break;
    default:
      p->wrong = "a packet that is none of MQTT";
    }
    p->used += head + len;
  }
}

/* ---- LDAP ---- */

static bool ber_length(const struct peer *p, size_t at, size_t *head, size_t *len)
{
  size_t i, more;
  if(p->len - at < 2)
    return false;
  more = p->in[at + 1] & 128 ? (unsigned)p->in[at + 1] & 127u : 0;
  if(more > 4 || p->len - at < 2 + more)
    return false;
  *len = more ? 0 : (size_t)p->in[at + 1];
  for(i = 0; i < more; i++)
    *len = *len << 8 | (unsigned char)p->in[at + 2 + i];
  *head = 2 + more;
  return p->len - at - *head >= *len;
}

/* Message numbers are below 128 here. */
void take_ldap(struct peer *p)
{
  size_t head, len;
  if(p->len && *p->in != 0x30) {
    peer_end(p);
    return;
  }
  while(p->used < p->len && ber_length(p, p->used, &head, &len)) {
    const char *m = p->in + p->used + head;
    char answer[] = "\x30\x0c\x02\x01\x01\x61\x07\x0a\x01\x00\x04\x00\x04";
    if(p->in[p->used] != 0x30 || len < 5 || m[0] != 2 || m[1] != 1) {
      p->wrong = "a message that is none of LDAP";
      return;
    }
    answer[4] = m[2];
    answer[5] = m[3] == 0x60 ? 0x61 : 0x65;
    if(m[3] == 0x60 || m[3] == 0x63)
      peer_send(p, answer, 14);
    p->used += head + len;
  }
}

/* ---- TFTP ---- */

/* Each packet that comes on the first one's connection is added to it. */
void take_tftp(struct peer *p)
{
  const char *packet = p->in + p->used;
  size_t len = p->len - p->used;
  p->used = p->len;
  if(len > 2 && packet[1] == 1)
    peer_send(p, "\x00\x03\x00\x01hi", 6);
  else if(len > 2 && packet[1] == 2)
    peer_send(p, "\x00\x04\x00\x00", 4);
  else if(len > 4 && packet[1] == 3)
    peer_send(p, "\x00\x04\x00\x01", 4);
}
