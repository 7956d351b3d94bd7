/* protocol/plain/tftp_packets.c: sends and receives the packets of a transfer, and times them
 * (protocol/plain/tftp.h). */
#include "protocol/plain/tftp.h"

#include <string.h>

#include "codec/tftp.h"
#include "codec/url/percent.h"
#include "net/conn_struct.h"
#include "port/datagram.h"
#include "port/port.h"
#include "transfer/upload/source.h"

/* As libcurl has them: a packet is sent again every five seconds of the time that there is, but at least
 * three times and at most 50 times. Without a limit on that time libcurl 8.14 waits 72 seconds in between,
 * and 8.23 gives up after four tries, although the default of CURLOPT_TIMEOUT_MS(3) is to wait for ever. */
enum {
  CONNECT_SECONDS = 300, /* without CURLOPT_CONNECTTIMEOUT_MS */
  TOTAL_SECONDS = 3600,  /* without CURLOPT_TIMEOUT_MS, as in libcurl 8.14 */
  EACH_SECONDS = 5,
  TRIES_LEAST = 3,
  TRIES_MOST = 50
};

/* ---- time ---- */

/* seconds 0: there is no limit. A server may think for long, as one does that writes to flash. */
static void share_time(struct mote_tftp *f, long seconds)
{
  long tries = (seconds ? seconds : TOTAL_SECONDS) / EACH_SECONDS;
  long interval = EACH_SECONDS;
  tries = tries < TRIES_LEAST ? TRIES_LEAST : tries > TRIES_MOST ? TRIES_MOST : tries;
  if(seconds)
    interval = seconds / tries;
  f->tries_most = (uint8_t)tries;
  f->interval = (uint16_t)(interval < 1 ? 1 : interval > UINT16_MAX ? UINT16_MAX : interval);
}

static long total_seconds(const struct mote_transfer *t)
{
  long ms = mote_opt_long(&t->options, CURLOPT_TIMEOUT_MS);
  return ms > 0 && ms < 1000 ? 1 : ms / 1000;
}

static void share_connect_time(const struct mote_transfer *t, struct mote_tftp *f)
{
  long ms = mote_opt_long(&t->options, CURLOPT_CONNECTTIMEOUT_MS), total = total_seconds(t);
  long seconds = ms > 0 ? (ms + 999) / 1000 : CONNECT_SECONDS;
  share_time(f, total && total < seconds ? total : seconds);
}

static void tftp_packets_arm(struct mote_transfer *t, mote_time now)
{
  mote_timer_set(t, MOTE_TIMER_STATE, now + mote_tftp_of(t)->interval * MOTE_SECOND);
}

/* ---- sending ---- */

static CURLcode tftp_packets_failed(struct mote_transfer *t, CURLcode rc, const char *what, int error)
{
  char text[80];
  t->run->stats.os_errno = (uint16_t)error;
  (void)mote_port_error_text(error, text, sizeof text);
  return mote_fail_as(rc, &t->report, "%s: %s", what, text);
}

/* A datagram that the system has no room for now is lost as others are on their way. */
static CURLcode send_packet(struct mote_transfer *t, const char *bytes, size_t len, mote_time now)
{
  struct mote_conn *c = t->run->channel.conn;
  size_t sent;
  int error = mote_tftp_of(t)->pinned ? mote_port_send(mote_conn_fd(c), bytes, len, &sent)
                                      : mote_port_send_to(mote_conn_fd(c), &c->remote, bytes, len);
  tftp_packets_arm(t, now);
  return !error || error == MOTE_PORT_AGAIN ? CURLE_OK
    : tftp_packets_failed(t, CURLE_SEND_ERROR, "Send failure", error);
}

/* The end of a path may name the mode (RFC 3617). */
static void tftp_packets_read_mode(struct mote_slice *file, bool *netascii)
{
  static const char ascii[] = ";mode=netascii", octet[] = ";mode=octet";
  size_t a = sizeof ascii - 1, o = sizeof octet - 1;
  if(file->len >= a && !memcmp(file->ptr + file->len - a, ascii, a)) {
    file->len -= a;
    *netascii = true;
  }
  else if(file->len >= o && !memcmp(file->ptr + file->len - o, octet, o)) {
    file->len -= o;
    *netascii = false;
  }
}

struct mote_slice mote_tftp_path(const struct mote_transfer *t, bool *netascii)
{
  struct mote_slice path = mote_url_packed_path(&t->run->request.url);
  *netascii = mote_opt_long(&t->options, CURLOPT_TRANSFERTEXT) != 0;
  tftp_packets_read_mode(&path, netascii);
  return path;
}

/* Decodes the file's name, which has no NUL. */
static CURLcode find_file(struct mote_transfer *t, struct mote_slice coded, char *room, size_t cap,
                          struct mote_slice *file)
{
  file->ptr = room;
  file->len = 0;
  if(coded.len > cap)
    return mote_talk_failed(t, CURLE_TFTP_ILLEGAL, "The name of the file is too long for TFTP");
  if(mote_percent_decode(coded, MOTE_PERCENT_REJECT_NUL, room, coded.len, &file->len))
    return mote_talk_failed(t, CURLE_URL_MALFORMAT, "The path of the URL contains a NUL");
  return CURLE_OK;
}

CURLcode mote_tftp_send_request(struct mote_transfer *t, mote_time now)
{
  struct mote_tftp *f = mote_tftp_of(t);
  char name[3 * MOTE_TFTP_REQUEST_MOST], packet[MOTE_TFTP_REQUEST_MOST];
  struct mote_tftp_request r = {.code = f->uploads ? MOTE_TFTP_WRITE : MOTE_TFTP_READ};
  struct mote_slice path = mote_tftp_path(t, &r.netascii);
  curl_off_t size = f->uploads && t->run->body ? mote_source_size(t) : 0;
  size_t len;
  CURLcode rc = find_file(t, path, name, sizeof name, &r.file);
  if(rc)
    return rc;
  share_connect_time(t, f);
  r.options = !mote_opt_long(&t->options, CURLOPT_TFTP_NO_OPTIONS);
  r.size = size > 0 ? (uint64_t)size : 0;
  r.block = f->wished;
  r.timeout = f->interval > 255 ? 255 : f->interval; /* RFC 2349 */
  len = mote_tftp_put_request(packet, &r);
  if(!len)
    return mote_talk_failed(t, CURLE_TFTP_ILLEGAL, "The name of the file is too long for TFTP");
  return send_packet(t, packet, len, now);
}

CURLcode mote_tftp_send_block(struct mote_transfer *t, mote_time now)
{
  struct mote_tftp *f = mote_tftp_of(t);
  (void)mote_tftp_put_head(f->block, MOTE_TFTP_DATA, f->number);
  return send_packet(t, f->block, MOTE_TFTP_HEAD + f->len, now);
}

CURLcode mote_tftp_send_ack(struct mote_transfer *t, mote_time now)
{
  char packet[MOTE_TFTP_HEAD];
  (void)mote_tftp_put_head(packet, MOTE_TFTP_ACK, mote_tftp_of(t)->number);
  return send_packet(t, packet, sizeof packet, now);
}

void mote_tftp_send_error(struct mote_transfer *t)
{
  char packet[40], *at = mote_tftp_put_head(packet, MOTE_TFTP_ERROR, 0);
  size_t sent;
  at = mote_tftp_put_text(at, mote_slice_of("The transfer has ended"));
  (void)mote_port_send(mote_conn_fd(t->run->channel.conn), packet, (size_t)(at - packet), &sent);
}

CURLcode mote_tftp_retry(struct mote_transfer *t, mote_time now)
{
  struct mote_tftp *f = mote_tftp_of(t);
  if(!mote_timer_due(t, MOTE_TIMER_STATE, now))
    return CURLE_OK;
  if(f->tries + 1 >= f->tries_most)
    return f->pinned ? mote_talk_failed(t, CURLE_OPERATION_TIMEDOUT, "The TFTP server answers no more")
                     : mote_talk_failed(t, CURLE_COULDNT_CONNECT, "The TFTP server does not answer");
  f->tries++;
  if(f->talk.stage == MOTE_TFTP_ASKED)
    return mote_tftp_send_request(t, now);
  return f->uploads ? mote_tftp_send_block(t, now) : mote_tftp_send_ack(t, now);
}

/* ---- receiving ---- */

/* The port may be any before the first answer. Datagrams of others may have come before the socket was
 * connected. */
static bool is_server(const struct mote_addr *from, const struct mote_addr *server, const struct mote_tftp *f)
{
  size_t len = server->family == MOTE_FAMILY_IP4 ? 4 : sizeof server->ip;
  return from->family == server->family && !memcmp(from->ip, server->ip, len) &&
         (!f->pinned || from->port == f->port);
}

/* A server answers a request with its options, an error, the first block, or an acknowledgement of none. */
static bool is_first(const struct mote_tftp_packet *p)
{
  return p->code == MOTE_TFTP_OACK || p->code == MOTE_TFTP_ERROR || p->number == (p->code == MOTE_TFTP_DATA);
}

/* From here on the socket belongs to the server's port of this transfer. */
static CURLcode tftp_packets_pin(struct mote_transfer *t, const struct mote_addr *from)
{
  struct mote_conn *c = t->run->channel.conn;
  struct mote_addr to = c->remote;
  struct mote_target target;
  int error;
  to.port = from->port;
  error = mote_port_target_ip(&target, &to, MOTE_SOCKET_DATAGRAM);
  if(!error)
    error = mote_port_connect(mote_conn_fd(c), &target.u.sa);
  if(error)
    return tftp_packets_failed(t, CURLE_COULDNT_CONNECT, "connect failed", error);
  mote_tftp_of(t)->pinned = true;
  mote_tftp_of(t)->port = from->port;
  share_time(mote_tftp_of(t), total_seconds(t));
  return CURLE_OK;
}

CURLcode mote_tftp_receive(struct mote_transfer *t, char *bytes, size_t room, struct mote_tftp_packet *p)
{
  struct mote_conn *c = t->run->channel.conn;
  struct mote_tftp *f = mote_tftp_of(t);
  struct mote_addr from;
  size_t len;
  int error = mote_port_recv_from(mote_conn_fd(c), bytes, room, &len, &from);
  p->code = 0;
  if(error == MOTE_PORT_AGAIN)
    return CURLE_AGAIN;
  if(error)
    return tftp_packets_failed(t, CURLE_RECV_ERROR, "Recv failure", error);
  if(!is_server(&from, &c->remote, f) || !mote_tftp_read(p, bytes, len) || (!f->pinned && !is_first(p))) {
    p->code = 0;
    return CURLE_OK;
  }
  return f->pinned ? CURLE_OK : tftp_packets_pin(t, &from);
}
