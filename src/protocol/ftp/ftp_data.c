/* protocol/ftp/ftp_data.c: the data connection of FTP and what goes over it (protocol/ftp/ftp.h).
 *
 * The server listens (passive mode), unless CURLOPT_FTPPORT is set. It is asked by EPSV first, whose answer
 * has no address (RFC 2428), and by PASV when it does not know that. The address of PASV is used only when
 * CURLOPT_FTP_SKIP_PASV_IP is off, since a server could name any host with it. */
#include <string.h>

#include "base/out.h"
#include "base/text/format.h"
#include "codec/ftp/reply.h"
#include "connect/data/data.h"
#include "net/conn.h"
#include "net/conn_struct.h"
#include "net/names/address.h"
#include "port/port.h"
#include "protocol/body.h"
#include "protocol/ftp/ftp.h"
#include "protocol/ftp/ftp_list.h"
#include "transfer/transfer.h"

/* ---- where the server listens ---- */

static bool is_ip6(const struct mote_transfer *t)
{
  return t->run->channel.conn->remote.family == MOTE_FAMILY_IP6 && !t->run->lease.proxied;
}

/* The command that lists. */
static const char *list_verb(const struct mote_transfer *t, const struct mote_ftp *f)
{
  const char *own = mote_opt_str(&t->options, CURLOPT_CUSTOMREQUEST);
  return own ? own : f->names ? "NLST" : "LIST";
}

/* Facts alone need no data connection, and in active mode the server makes it. */
CURLcode mote_ftp_send_pret(struct mote_transfer *t, struct mote_talk *talk)
{
  struct mote_ftp *f = (struct mote_ftp *)talk;
  if(f->head)
    return mote_talk_go(talk, MOTE_FTP_TYPE);
  if(mote_opt_str(&t->options, CURLOPT_FTPPORT))
    return mote_talk_go_listening(talk, MOTE_FTP_LISTEN);
  if(!mote_opt_long(&t->options, CURLOPT_FTP_USE_PRET))
    return CURLE_OK;
  if(f->listing)
    return mote_talk_say_word(t, talk, "PRET", mote_slice_of(list_verb(t, f)), false);
  return mote_ftp_send_name(t, f, f->upload ? "PRET STOR" : "PRET RETR");
}

CURLcode mote_ftp_take_pret(struct mote_transfer *t, struct mote_talk *talk, const struct mote_reply *r)
{
  return r->code == 200 ? CURLE_OK : mote_talk_refused(t, talk, CURLE_FTP_PRET_FAILED, r);
}

CURLcode mote_ftp_send_epsv(struct mote_transfer *t, struct mote_talk *talk)
{
  bool epsv = mote_opt_long(&t->options, CURLOPT_FTP_USE_EPSV) && !((struct mote_ftp *)talk)->no_epsv;
  return epsv || is_ip6(t) ? mote_talk_say(t, talk, "EPSV") : mote_talk_go(talk, MOTE_FTP_PASV);
}

/* The server may leave while the connection is being made. */
static CURLcode ftp_data_begin(struct mote_transfer *t, struct mote_ftp *f, const struct mote_addr *to)
{
  CURLcode rc = mote_data_open(t, &f->data, to, f->private);
  return rc ? rc : mote_talk_go_listening(&f->talk, MOTE_FTP_OPEN);
}

CURLcode mote_ftp_take_epsv(struct mote_transfer *t, struct mote_talk *talk, const struct mote_reply *r)
{
  struct mote_ftp *f = (struct mote_ftp *)talk;
  struct mote_addr to = {.family = MOTE_FAMILY_NONE};
  if(r->code == 229 && !mote_reply_extended(r->text, &to.port))
    return mote_ftp_refused(t, talk, CURLE_FTP_WEIRD_PASV_REPLY, r);
  f->by_epsv = to.port != 0; /* port 0 as one that cannot be connected to */
  if(f->by_epsv)
    return ftp_data_begin(t, f, &to);
  f->no_epsv = true;
  return is_ip6(t) ? mote_ftp_refused(t, talk, CURLE_FTP_WEIRD_PASV_REPLY, r)
                   : mote_talk_go(talk, MOTE_FTP_PASV);
}

CURLcode mote_ftp_take_pasv(struct mote_transfer *t, struct mote_talk *talk, const struct mote_reply *r)
{
  struct mote_ftp *f = (struct mote_ftp *)talk;
  struct mote_addr to = {.family = MOTE_FAMILY_NONE};
  if(r->code != 227)
    return mote_ftp_refused(t, talk, CURLE_FTP_WEIRD_PASV_REPLY, r);
  if(!mote_reply_passive(r->text, to.ip, &to.port) || !to.port)
    return mote_talk_refused(t, talk, CURLE_FTP_WEIRD_227_FORMAT, r);
  if(!mote_opt_long(&t->options, CURLOPT_FTP_SKIP_PASV_IP))
    to.family = MOTE_FAMILY_IP4;
  f->by_epsv = false;
  return ftp_data_begin(t, f, &to);
}

/* A firewall may let only the port of PASV pass. The server begins TLS once it has agreed to move data. */
CURLcode mote_ftp_open_data(struct mote_transfer *t, struct mote_talk *talk)
{
  struct mote_ftp *f = (struct mote_ftp *)talk;
  CURLcode rc = mote_data_step(t, f->data, talk->now);
  if(rc == CURLE_COULDNT_CONNECT && f->by_epsv && !is_ip6(t)) {
    mote_data_close(t, &f->data);
    f->no_epsv = true;
    return mote_talk_go(talk, MOTE_FTP_PASV);
  }
  if(!rc) /* nothing is to be done with it before that */
    return mote_conn_want(f->data, 0);
  return rc == CURLE_AGAIN && f->private && mote_data_is_connected(f->data) ? CURLE_OK : rc;
}

/* ---- where this side listens (active mode) ---- */

CURLcode mote_ftp_listen(struct mote_transfer *t, struct mote_talk *talk)
{
  struct mote_ftp *f = (struct mote_ftp *)talk;
  const char *where = mote_opt_str(&t->options, CURLOPT_FTPPORT);
  return mote_data_listen(t, &f->data, where ? where : "-", f->private, talk->now, &f->named);
}

CURLcode mote_ftp_send_eprt(struct mote_transfer *t, struct mote_talk *talk)
{
  const struct mote_ftp *f = (const struct mote_ftp *)talk;
  bool eprt = mote_opt_long(&t->options, CURLOPT_FTP_USE_EPRT) && !f->no_eprt, ip6 = is_ip6(t);
  char address[MOTE_ADDR_TEXT_MAX];
  struct mote_out out;
  if(!eprt && !ip6)
    return mote_talk_go(talk, MOTE_FTP_PORT);
  (void)mote_addr_print(&f->named, address);
  mote_talk_begin(t, talk, &out);
  mote_out_format(&out, "EPRT |%d|%s|%u|", ip6 ? 2 : 1, address, f->named.port);
  return mote_talk_send(t, talk, &out);
}

CURLcode mote_ftp_send_port(struct mote_transfer *t, struct mote_talk *talk)
{
  const struct mote_addr *a = &((const struct mote_ftp *)talk)->named;
  struct mote_out out;
  mote_talk_begin(t, talk, &out);
  mote_out_format(&out, "PORT %d,%d,%d,%d,%d,%d", a->ip[0], a->ip[1], a->ip[2], a->ip[3], a->port >> 8,
                  a->port & 255);
  return mote_talk_send(t, talk, &out);
}

CURLcode mote_ftp_take_port(struct mote_transfer *t, struct mote_talk *talk, const struct mote_reply *r)
{
  if(r->code / 100 == 2)
    return CURLE_OK;
  if(talk->stage == MOTE_FTP_EPRT && !is_ip6(t)) {
    ((struct mote_ftp *)talk)->no_eprt = true;
    return mote_talk_go(talk, MOTE_FTP_PORT);
  }
  return mote_ftp_refused(t, talk, CURLE_FTP_PORT_FAILED, r);
}

/* ---- the command that moves the data ---- */

CURLcode mote_ftp_send_move(struct mote_transfer *t, struct mote_talk *talk)
{
  struct mote_ftp *f = (struct mote_ftp *)talk;
  const char *verb = "RETR";
  if(f->upload)
    verb = f->from || mote_opt_long(&t->options, CURLOPT_APPEND) ? "APPE" : "STOR";
  else if(f->listing)
    verb = list_verb(t, f);
  return mote_ftp_send_name(t, f, verb);
}

static CURLcode judge_download(struct mote_transfer *t, struct mote_ftp *f, const struct mote_reply *r)
{
  if(f->listing && r->code == 450) { /* no file is there */
    mote_data_close(t, &f->data);
    return mote_talk_go(&f->talk, MOTE_FTP_POSTQUOTE);
  }
  if(!f->listing && r->code == 550)
    return mote_ftp_refused(t, &f->talk, CURLE_REMOTE_FILE_NOT_FOUND, r);
  if(r->code != 150 && r->code != 125 && r->code != 126)
    return mote_ftp_refused(t, &f->talk, CURLE_FTP_COULDNT_RETR_FILE, r);
  if(!f->listing && !f->from)
    mote_ftp_read_size(t, f, r->text);
  mote_response_announce(&t->run->response, f->left);
  return mote_talk_go_listening(&f->talk, MOTE_FTP_READY);
}

/* The server's last reply may come before the data does, or instead of it. */
CURLcode mote_ftp_take_move(struct mote_transfer *t, struct mote_talk *talk, const struct mote_reply *r)
{
  struct mote_ftp *f = (struct mote_ftp *)talk;
  if(!f->upload)
    return judge_download(t, f, r);
  if(r->code >= 400)
    return mote_ftp_refused(t, talk, CURLE_UPLOAD_FAILED, r);
  return mote_talk_go_listening(talk, MOTE_FTP_READY);
}

/* ---- the end of the data ---- */

/* A server takes the end of a connection that failed for the end of the file, and may confirm it. */
CURLcode mote_ftp_take_last(struct mote_transfer *t, struct mote_talk *talk, const struct mote_reply *r)
{
  struct mote_ftp *f = (struct mote_ftp *)talk;
  mote_data_close(t, &f->data);
  talk->at_rest = r->code != 421;
  if(r->code == 421)
    return mote_talk_refused(t, talk, CURLE_OPERATION_TIMEDOUT, r);
  if(r->code == 552)
    return mote_talk_refused(t, talk, CURLE_REMOTE_DISK_FULL, r);
  if(f->broken)
    return mote_talk_failed(t, CURLE_SEND_ERROR, "Not all of the file was sent");
  return r->code == 226 || r->code == 250 ? CURLE_OK : mote_talk_refused(t, talk, CURLE_PARTIAL_FILE, r);
}

/* Of a reply that has come early the code alone was kept. */
CURLcode mote_ftp_await_last(struct mote_transfer *t, struct mote_talk *talk)
{
  char code[24];
  struct mote_reply r = {.code = ((struct mote_ftp *)talk)->last};
  if(!r.code)
    return mote_talk_await(t, talk);
  r.line = (struct mote_slice){code, mote_print_dec(code, r.code)};
  return mote_ftp_take_last(t, talk, &r);
}

/* ---- the data ---- */

/* Makes LF of the ends of lines, as the type ASCII has CR LF on the wire, and of a CR alone, as libcurl
 * does. */
static CURLcode cut_lines(void *state, char *bytes, size_t len, struct mote_body_cut *cut)
{
  char *from = bytes, *to = bytes, *end = bytes + len;
  struct mote_ftp *f = state;
  while(from < end) {
    const char *until;
    size_t n;
    from += f->cr && *from == '\n';
    until = memchr(from, '\r', (size_t)(end - from));
    f->cr = until != NULL;
    n = (size_t)((until ? until : end) - from);
    memmove(to, from, n);
    to += n;
    from += n;
    if(f->cr) {
      *to++ = '\n';
      from++;
    }
  }
  cut->len = (size_t)(to - bytes);
  return CURLE_OK;
}

CURLcode mote_ftp_receive_file(struct mote_transfer *t, struct mote_talk *talk)
{
  struct mote_ftp *f = (struct mote_ftp *)talk;
  const struct mote_body_filter ascii = {.cut = cut_lines, .state = f, .open_end = true, .counts_all = true};
  const struct mote_body_filter *filter = mote_ftp_list_filter(f);
  CURLcode rc;
  if(!filter && f->wanted == 'A')
    filter = &ascii;
  rc = mote_body_receive(t, f->data, &f->left, filter, talk->now);
  if(rc)
    return rc;
  mote_data_close(t, &f->data);
  return f->cut ? mote_talk_go(talk, MOTE_FTP_ABOR) : CURLE_OK;
}

CURLcode mote_ftp_make_ready(struct mote_transfer *t, struct mote_talk *talk)
{
  struct mote_ftp *f = (struct mote_ftp *)talk;
  CURLcode rc = mote_data_step(t, f->data, talk->now);
  if(rc == CURLE_AGAIN && f->last >= 400 && !mote_data_is_connected(f->data)) {
    talk->at_rest = true;
    return mote_talk_failed(t, CURLE_FTP_ACCEPT_FAILED, "The server does not begin the data connection");
  }
  if(rc == CURLE_FTP_ACCEPT_TIMEOUT)
    f->doubtful = talk->at_rest = true;
  if(rc)
    return rc;
  f->cr = false;
  mote_conn_look_again(f->data);
  return mote_talk_go_listening(talk, f->upload ? MOTE_FTP_SEND : MOTE_FTP_RECEIVE);
}

/* The server gives its reason when it does not take the file. */
static CURLcode hear_why(struct mote_transfer *t, struct mote_ftp *f)
{
  mote_data_close(t, &f->data);
  return mote_talk_go(&f->talk, MOTE_FTP_LAST);
}

CURLcode mote_ftp_send_file(struct mote_transfer *t, struct mote_talk *talk)
{
  struct mote_ftp *f = (struct mote_ftp *)talk;
  CURLcode rc = mote_body_send(t, f->data, talk->now);
  f->broken = rc == CURLE_SEND_ERROR;
  if(f->broken || (f->last >= 400 && (!rc || rc == CURLE_AGAIN)))
    return hear_why(t, f);
  return rc ? rc : mote_talk_go_listening(talk, MOTE_FTP_FINISH);
}

CURLcode mote_ftp_finish_file(struct mote_transfer *t, struct mote_talk *talk)
{
  struct mote_ftp *f = (struct mote_ftp *)talk;
  CURLcode rc = mote_data_finish(f->data);
  if(rc == CURLE_SEND_ERROR || (rc == CURLE_AGAIN && f->last >= 400))
    return hear_why(t, f);
  if(!rc)
    mote_mark_set(&t->run->stats, MOTE_MARK_POSTTRANSFER, mote_port_now());
  return rc;
}
