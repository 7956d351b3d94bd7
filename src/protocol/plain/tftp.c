/* protocol/plain/tftp.c: one transfer by TFTP, stage by stage (protocol/plain/tftp.h). */
#include "net/stream.h"
#include "protocol/plain/tftp.h"

#include <string.h>

#include "base/memory.h"
#include "codec/tftp.h"
#include "protocol/body.h"
#include "transfer/download/sink.h"
#include "transfer/protocol.h"
#include "transfer/report/debug.h"
#include "transfer/report/progress.h"
#include "transfer/upload/source.h"

#define REPLY_ROOM 600      /* bytes of what a server answers to a block: an error, at most */

static CURLcode tftp_prepare(struct mote_transfer *t)
{
  mote_request_announce(&t->run->request, -1);
  if(t->run->lease.proxied)
    return mote_talk_failed(t, CURLE_PROXY, "TFTP does not go through a proxy");
  if(mote_opt_str(&t->options, CURLOPT_UNIX_SOCKET_PATH) ||
     mote_opt_str(&t->options, CURLOPT_ABSTRACT_UNIX_SOCKET))
    return mote_talk_failed(t, CURLE_COULDNT_CONNECT, "TFTP does not go through a Unix socket");
  if(t->run->request.method == MOTE_METHOD_PUT)
    return mote_source_open_whole(t);
  mote_source_close(t); /* a POST is a download */
  return CURLE_OK;
}

/* Bytes of a block that the application asks for. */
static uint16_t plain_tftp_wished(const struct mote_transfer *t)
{
  long size = mote_opt_long(&t->options, CURLOPT_TFTP_BLKSIZE);
  return (uint16_t)(size < MOTE_TFTP_BLOCK_LEAST ? MOTE_TFTP_BLOCK_LEAST
                                                 : size > MOTE_TFTP_BLOCK_MOST ? MOTE_TFTP_BLOCK_MOST : size);
}

/* The lines of a netascii upload end with CRLF (RFC 764). A server without options sends blocks of 512 bytes
 * whatever was asked for. */
static CURLcode tftp_begin(struct mote_transfer *t)
{
  struct mote_tftp *f = mote_tftp_of(t);
  uint32_t most;
  bool netascii;
  memset(f, 0, sizeof *f);
  f->wished = plain_tftp_wished(t); /* whatever the option is later: `block` has room for it */
  f->uploads = t->run->request.method == MOTE_METHOD_PUT;
  if(!mote_tftp_path(t, &netascii).len)
    return mote_talk_failed(t, CURLE_TFTP_ILLEGAL, "The URL names no file");
  if(netascii && t->run->body && !mote_opt_long(&t->options, CURLOPT_CRLF) &&
     !mote_source_push(t, &mote_source_crlf))
    return CURLE_OUT_OF_MEMORY;
  f->size = MOTE_TFTP_BLOCK;
  most = f->wished;
  f->room = MOTE_TFTP_HEAD + (most > MOTE_TFTP_BLOCK ? most : MOTE_TFTP_BLOCK) + 1;
  f->block = mote_mem_alloc(&t->account, MOTE_PART_TRANSFER, f->room);
  return f->block ? CURLE_OK : CURLE_OUT_OF_MEMORY;
}

/* ---- options that the server has agreed to ---- */

static CURLcode take_block_size(struct mote_transfer *t, struct mote_slice value)
{
  struct mote_tftp *f = mote_tftp_of(t);
  uint64_t size;
  if(!mote_parse_dec(value, UINT32_MAX, &size) || size < MOTE_TFTP_BLOCK_LEAST)
    return mote_talk_failed(t, CURLE_TFTP_ILLEGAL, "The TFTP server's block size is too small, or no number");
  if(size > f->wished)
    return mote_talk_failed(t, CURLE_TFTP_ILLEGAL, "The TFTP server's block size is larger than asked for");
  f->size = (uint16_t)size;
  return CURLE_OK;
}

static CURLcode plain_tftp_take_size(struct mote_transfer *t, struct mote_slice value)
{
  curl_off_t most = mote_opt_off(&t->options, CURLOPT_MAXFILESIZE_LARGE);
  uint64_t size;
  if(mote_tftp_of(t)->uploads || !mote_parse_dec(value, INT64_MAX, &size))
    return CURLE_OK;
  mote_response_announce(&t->run->response, (curl_off_t)size);
  return most > 0 && (curl_off_t)size > most
           ? mote_talk_failed(t, CURLE_FILESIZE_EXCEEDED, "Maximum file size exceeded") : CURLE_OK;
}

static CURLcode plain_tftp_take_options(struct mote_transfer *t, struct mote_slice rest)
{
  struct mote_slice name, value;
  CURLcode rc = CURLE_OK;
  while(!rc && mote_tftp_next_option(&rest, &name, &value)) {
    mote_info(&t->report, "TFTP option %.*s is %.*s", (int)name.len, name.ptr, (int)value.len, value.ptr);
    if(mote_slice_is(name, "blksize"))
      rc = take_block_size(t, value);
    else if(mote_slice_is(name, "tsize"))
      rc = plain_tftp_take_size(t, value);
  }
  if(!rc && rest.len)
    return mote_talk_failed(t, CURLE_TFTP_ILLEGAL, "The TFTP server's options are no texts");
  return rc;
}

/* ---- packets ---- */

static CURLcode plain_tftp_code_of(uint16_t error)
{
  static const uint8_t codes[] = {
    CURLE_TFTP_ILLEGAL, CURLE_TFTP_NOTFOUND, CURLE_TFTP_PERM, CURLE_REMOTE_DISK_FULL, CURLE_TFTP_ILLEGAL,
    CURLE_TFTP_UNKNOWNID, CURLE_REMOTE_FILE_EXISTS, CURLE_TFTP_NOSUCHUSER,
  };
  return error < sizeof codes ? (CURLcode)codes[error] : CURLE_TFTP_ILLEGAL;
}

/* The text is shown without what may command a terminal. */
static CURLcode take_error(struct mote_transfer *t, const struct mote_tftp_packet *p)
{
  char text[100];
  size_t i;
  for(i = 0; i < p->rest.len && i + 1 < sizeof text; i++)
    text[i] = (char)((unsigned char)p->rest.ptr[i] < ' ' || p->rest.ptr[i] == 127 ? '?' : p->rest.ptr[i]);
  text[i] = 0;
  mote_tftp_of(t)->refused = true;
  mote_fail(&t->report, "The TFTP server reports error %u: %s", (unsigned)p->number, text);
  return plain_tftp_code_of(p->number);
}

static void plain_tftp_mark_first(struct mote_transfer *t, mote_time now)
{
  mote_response_arrive(&t->run->response);
  mote_mark_response(&t->run->stats, now);
}

/* The block that was acknowledged last comes again where that was lost. */
static CURLcode plain_tftp_take_data(struct mote_transfer *t, const struct mote_tftp_packet *p, mote_time now)
{
  struct mote_tftp *f = mote_tftp_of(t);
  if(p->number == f->number && f->talk.stage == MOTE_TFTP_WAIT)
    return mote_tftp_send_ack(t, now);
  if(p->number != (uint16_t)(f->number + 1))
    return CURLE_OK;
  if(p->rest.len > f->size)
    return mote_talk_failed(t, CURLE_TFTP_ILLEGAL, "The TFTP server's block is longer than was agreed");
  if(t->run->request.method == MOTE_METHOD_HEAD)
    return mote_talk_failed(t, CURLE_WEIRD_SERVER_REPLY, "TFTP has a file to give and nothing else");
  plain_tftp_mark_first(t, now);
  f->number = p->number;
  f->len = (uint32_t)p->rest.len;
  f->at = 0;
  f->tries = 0;
  f->last = f->len < f->size;
  (void)mote_talk_go(&f->talk, MOTE_TFTP_DELIVER);
  mote_timer_set(t, MOTE_TIMER_STATE, 0);
  return CURLE_OK;
}

static CURLcode next_block(struct mote_transfer *t)
{
  struct mote_tftp *f = mote_tftp_of(t);
  (void)mote_talk_go(&f->talk, f->last ? MOTE_TFTP_OVER : MOTE_TFTP_FILL);
  f->number++;
  f->len = 0;
  f->tries = 0;
  mote_timer_set(t, MOTE_TIMER_STATE, 0);
  return CURLE_OK;
}

static CURLcode take_oack(struct mote_transfer *t, const struct mote_tftp_packet *p, mote_time now)
{
  struct mote_tftp *f = mote_tftp_of(t);
  CURLcode rc;
  if(f->talk.stage == MOTE_TFTP_WAIT)
    return f->uploads || f->number ? CURLE_OK : mote_tftp_send_ack(t, now);
  rc = plain_tftp_take_options(t, p->rest);
  if(rc)
    return rc;
  f->tries = 0;
  if(f->uploads)
    return next_block(t);
  (void)mote_talk_go(&f->talk, MOTE_TFTP_WAIT);
  return mote_tftp_send_ack(t, now);
}

static CURLcode plain_tftp_take(struct mote_transfer *t, const struct mote_tftp_packet *p, mote_time now)
{
  struct mote_tftp *f = mote_tftp_of(t);
  switch(p->code) {
  case 0:
    return CURLE_OK;
  case MOTE_TFTP_ERROR:
    return take_error(t, p);
  case MOTE_TFTP_OACK:
    return take_oack(t, p, now);
  case MOTE_TFTP_DATA:
    if(!f->uploads)
      return plain_tftp_take_data(t, p, now);
    break;
  default:
    if(f->uploads)
      return p->number == f->number ? next_block(t) : CURLE_OK;
  }
  return mote_talk_failed(t, CURLE_TFTP_ILLEGAL, "The TFTP server sends a packet of the other direction");
}

/* ---- stages ---- */

static CURLcode plain_tftp_wait(struct mote_transfer *t, struct mote_direction held)
{
  CURLcode rc = mote_conn_want(t->run->channel.conn, held.paused || held.limited ? 0 : MOTE_WANT_IN);
  return rc ? rc : CURLE_AGAIN;
}

/* A pause stops the clock, too. */
static CURLcode plain_tftp_listen_on(struct mote_transfer *t, struct mote_talk *talk)
{
  struct mote_tftp *f = (struct mote_tftp *)talk;
  mote_time now = talk->now;
  struct mote_tftp_packet p;
  char reply[REPLY_ROOM];
  CURLcode rc;
  if(t->run->flow.recv.paused) {
    mote_timer_set(t, MOTE_TIMER_STATE, 0);
    return plain_tftp_wait(t, t->run->flow.recv);
  }
  if(!mote_timer_at(t->run, MOTE_TIMER_STATE))
    mote_timer_set(t, MOTE_TIMER_STATE, now + f->interval * MOTE_SECOND);
  rc = mote_tftp_retry(t, now);
  if(rc)
    return rc;
  rc = f->uploads ? mote_tftp_receive(t, reply, sizeof reply, &p)
                  : mote_tftp_receive(t, f->block, f->room, &p);
  if(rc == CURLE_AGAIN)
    return plain_tftp_wait(t, (struct mote_direction){.paused = false});
  return rc ? rc : plain_tftp_take(t, &p, now);
}

static CURLcode plain_tftp_deliver(struct mote_transfer *t, struct mote_talk *talk)
{
  struct mote_tftp *f = (struct mote_tftp *)talk;
  mote_time now = talk->now;
  struct mote_run *r = t->run;
  CURLcode rc = CURLE_OK;
  while(!rc && f->at < f->len) {
    size_t left = f->len - f->at, most = left < CURL_MAX_WRITE_SIZE ? left : CURL_MAX_WRITE_SIZE;
    most = r->flow.recv.paused ? 0 : mote_speed_allow_down(t, now, most);
    r->flow.recv.limited = !most && !r->flow.recv.paused;
    if(!most)
      return plain_tftp_wait(t, r->flow.recv);
    f->at += (uint32_t)most;
    mote_speed_passed_down(t, most);
    rc = mote_body_deliver(t, f->block + MOTE_TFTP_HEAD + f->at - most, most);
  }
  if(rc == CURLE_AGAIN && f->at < f->len)
    return plain_tftp_wait(t, r->flow.recv);
  if(rc && rc != CURLE_AGAIN)
    return rc;
  (void)mote_talk_go(&f->talk, f->last ? MOTE_TFTP_OVER : MOTE_TFTP_WAIT);
  if(f->last)
    mote_timer_set(t, MOTE_TIMER_STATE, 0);
  return mote_tftp_send_ack(t, now);
}

/* Appends what the source gives next to the block. */
static CURLcode fill_some(struct mote_transfer *t, mote_time now)
{
  struct mote_tftp *f = mote_tftp_of(t);
  struct mote_piece p;
  CURLcode rc;
  p.room = f->block + MOTE_TFTP_HEAD + f->len;
  p.most = mote_speed_allow_up(t, now, f->size - f->len);
  t->run->flow.send.limited = !p.most;
  if(!p.most)
    return plain_tftp_wait(t, t->run->flow.send);
  rc = mote_source_read(t, &p);
  if(rc)
    return rc == CURLE_AGAIN ? plain_tftp_wait(t, t->run->flow.send) : rc;
  if(p.bytes != p.room && p.len)
    memcpy(p.room, p.bytes, p.len);
  f->len += (uint32_t)p.len;
  f->last = p.end;
  t->run->stats.bytes_up += (curl_off_t)p.len;
  mote_speed_passed_up(t, p.len);
  return CURLE_OK;
}

/* A file of whole blocks ends with an empty one. */
static CURLcode plain_tftp_fill(struct mote_transfer *t, struct mote_talk *talk)
{
  struct mote_tftp *f = (struct mote_tftp *)talk;
  mote_time now = talk->now;
  CURLcode rc = CURLE_OK;
  if(t->run->flow.send.paused)
    return plain_tftp_wait(t, t->run->flow.send);
  f->last = f->last || !t->run->body;
  while(!rc && !f->last && f->len < f->size)
    rc = fill_some(t, now);
  if(rc)
    return rc;
  f->last = f->len < f->size;
  (void)mote_talk_go(&f->talk, MOTE_TFTP_WAIT);
  plain_tftp_mark_first(t, now);
  mote_debug(t, CURLINFO_DATA_OUT, f->block + MOTE_TFTP_HEAD, f->len);
  return mote_tftp_send_block(t, now);
}

static CURLcode plain_tftp_ask(struct mote_transfer *t, struct mote_talk *talk)
{
  (void)mote_talk_go(talk, MOTE_TFTP_ASKED); /* also when it does not go at once */
  return mote_tftp_send_request(t, talk->now);
}

static const struct mote_stage stages[MOTE_TFTP_OVER] = {
  [MOTE_TFTP_ASK] = {"request", plain_tftp_ask, NULL, MOTE_TFTP_ASKED, false},
  [MOTE_TFTP_ASKED] = {"answer", plain_tftp_listen_on, NULL, MOTE_TFTP_ASKED, false},
  [MOTE_TFTP_WAIT] = {"next packet", plain_tftp_listen_on, NULL, MOTE_TFTP_WAIT, false},
  [MOTE_TFTP_DELIVER] = {"block received", plain_tftp_deliver, NULL, MOTE_TFTP_WAIT, false},
  [MOTE_TFTP_FILL] = {"block to send", plain_tftp_fill, NULL, MOTE_TFTP_WAIT, false},
};

static const struct mote_talk_row row = {.stages = stages};

static CURLcode tftp_step(struct mote_transfer *t, mote_time now)
{
  CURLcode rc = t->run->flow.recv.paused ? CURLE_OK : mote_sink_resume(t);
  if(!rc)
    rc = mote_talk_step(t, &mote_tftp_of(t)->talk, &row, now, MOTE_TFTP_OVER);
  if(rc)
    return rc;
  mote_timer_set(t, MOTE_TIMER_STATE, 0);
  return mote_talk_finish(t);
}

/* The server hears of an end that it does not know of. */
static void tftp_end(struct mote_transfer *t, CURLcode rc)
{
  struct mote_tftp *f = mote_tftp_of(t);
  if(rc && f->pinned && !f->refused)
    mote_tftp_send_error(t);
  mote_timer_set(t, MOTE_TIMER_STATE, 0);
  mote_mem_free(&t->account, MOTE_PART_TRANSFER, f->block, f->room);
  f->block = NULL;
}

const struct mote_protocol mote_protocol_tftp = {
  .name = "tftp",
  .conn_size = sizeof(struct mote_tftp),
  .datagrams = true,
  .prepare = tftp_prepare,
  .begin = tftp_begin,
  .step = tftp_step,
  .end = tftp_end,
};
