/* protocol/ftp/ftp_data.c: the data connection of FTP and what goes over it (protocol/ftp/ftp.h).
 *
 * The server listens (passive mode), unless CURLOPT_FTPPORT is set. It is asked by EPSV first, whose answer
 * has no address (RFC 2428), and by PASV when it does not know that. The address of PASV is used only when
 * CURLOPT_FTP_SKIP_PASV_IP is off, since a server could name any host with it. */
#include <string.h>

#include "base/text/format.h"
#include "codec/ftp/reply.h"
#include "connect/data/data.h"
#include "net/conn.h"
#include "net/names/address.h"
#include "port/port.h"
#include "protocol/body.h"
#include "protocol/ftp/ftp.h"

/* ---- where the server listens ---- */

static bool is_ip6(const struct mote_transfer *t)
{
  return t->run->channel.conn->remote.family == MOTE_FAMILY_IP6 && !t->run->lease.proxied;
}

static CURLcode passive_begin(struct mote_transfer *t, struct mote_ftp *f)
{
  bool epsv = is_ip6(t) || (mote_opt_long(&t->options, CURLOPT_FTP_USE_EPSV) && !f->no_epsv);
  return MOTE_PP_TO(epsv ? MOTE_FTP_EPSV : MOTE_FTP_PASV);
}

CURLcode mote_ftp_choose_data(struct mote_transfer *t, struct mote_ftp *f, mote_time now)
{
  (void)now;
  if(mote_opt_str(&t->options, CURLOPT_FTPPORT))
    return MOTE_PP_TO(MOTE_FTP_LISTEN);
  return mote_opt_long(&t->options, CURLOPT_FTP_USE_PRET) ? MOTE_PP_TO(MOTE_FTP_PRET)
                                                          : passive_begin(t, f);
}

/* The command that lists. */
static const char *list_verb(const struct mote_transfer *t, const struct mote_ftp *f)
{
  const char *own = mote_opt_str(&t->options, CURLOPT_CUSTOMREQUEST);
  return own ? own : f->names ? "NLST" : "LIST";
}

CURLcode mote_ftp_send_pret(struct mote_transfer *t, struct mote_ftp *f, mote_time now)
{
  (void)now;
  if(f->listing)
    return mote_pp_send(t, &f->pp, "PRET", mote_slice_of(list_verb(t, f)), false);
  return mote_ftp_send_name(t, f, f->upload ? "PRET STOR" : "PRET RETR");
}

CURLcode mote_ftp_take_pret(struct mote_transfer *t, struct mote_ftp *f, unsigned code,
                            struct mote_slice text)
{
  (void)text;
  if(code != 200)
    return mote_ftp_failed(t, CURLE_FTP_PRET_FAILED, "The server does not know PRET");
  return passive_begin(t, f);
}

static CURLcode weird_passive(struct mote_transfer *t)
{
  return mote_ftp_refused(t, CURLE_FTP_WEIRD_PASV_REPLY, "The server does not offer a data connection");
}

/* Begins to connect to that port of the server. */
static CURLcode ftp_data_connect_to(struct mote_transfer *t, struct mote_ftp *f, const struct mote_addr *to)
{
  CURLcode rc = mote_data_open(t, &f->data, to, f->private);
  return rc ? rc : MOTE_PP_TO(MOTE_FTP_OPEN);
}

CURLcode mote_ftp_take_epsv(struct mote_transfer *t, struct mote_ftp *f, unsigned code,
                            struct mote_slice text)
{
  struct mote_addr to = {.family = MOTE_FAMILY_NONE};
  if(code == 229 && !mote_reply_extended(text, &to.port))
    return weird_passive(t);
  if(code != 229 || !to.port) { /* port 0 as one that cannot be connected to */
    f->no_epsv = true;
    return is_ip6(t) ? weird_passive(t) : MOTE_PP_TO(MOTE_FTP_PASV);
  }
  f->by_epsv = true;
  return ftp_data_connect_to(t, f, &to);
}

CURLcode mote_ftp_take_pasv(struct mote_transfer *t, struct mote_ftp *f, unsigned code,
                            struct mote_slice text)
{
  struct mote_addr to = {.family = MOTE_FAMILY_NONE};
  uint8_t address[4];
  uint16_t port;
  if(code != 227)
    return weird_passive(t);
  if(!mote_reply_passive(text, address, &port) || !port)
    return mote_ftp_failed(t, CURLE_FTP_WEIRD_227_FORMAT, "The server's answer to PASV is not understood");
  if(!mote_opt_long(&t->options, CURLOPT_FTP_SKIP_PASV_IP)) {
    to.family = MOTE_FAMILY_IP4;
    memcpy(to.ip, address, sizeof address);
  }
  to.port = port;
  f->by_epsv = false;
  return ftp_data_connect_to(t, f, &to);
}

/* A firewall may let only the port of PASV pass. The server begins TLS once it has agreed to move data. */
CURLcode mote_ftp_open_data(struct mote_transfer *t, struct mote_ftp *f, mote_time now)
{
  CURLcode rc = mote_data_step(t, f->data, now);
  if(rc == CURLE_COULDNT_CONNECT && f->by_epsv && !is_ip6(t)) {
    mote_data_close(t, &f->data);
    f->no_epsv = true;
    return MOTE_PP_TO(MOTE_FTP_PASV);
  }
  if(!rc) /* nothing is to be done with it before that */
    rc = mote_conn_want(f->data, 0);
  else if(rc == CURLE_AGAIN && f->private && mote_data_is_connected(f->data))
    rc = CURLE_OK;
  return rc ? rc : MOTE_PP_TO(MOTE_FTP_TYPE);
}

/* ---- where this side listens (active mode) ---- */

CURLcode mote_ftp_listen(struct mote_transfer *t, struct mote_ftp *f, mote_time now)
{
  const char *where = mote_opt_str(&t->options, CURLOPT_FTPPORT);
  bool eprt = is_ip6(t) || (mote_opt_long(&t->options, CURLOPT_FTP_USE_EPRT) && !f->no_eprt);
  CURLcode rc = mote_data_listen(t, &f->data, where ? where : "-", f->private, now, &f->named);
  return rc ? rc : MOTE_PP_TO(eprt ? MOTE_FTP_EPRT : MOTE_FTP_PORT);
}

CURLcode mote_ftp_send_eprt(struct mote_transfer *t, struct mote_ftp *f, mote_time now)
{
  char address[MOTE_ADDR_TEXT_MAX], command[MOTE_ADDR_TEXT_MAX + 24];
  (void)now;
  (void)mote_addr_print(&f->named, address);
  (void)mote_snprintf(command, sizeof command, "EPRT |%d|%s|%u|", is_ip6(t) ? 2 : 1, address, f->named.port);
  return mote_pp_say(t, &f->pp, command);
}

CURLcode mote_ftp_send_port(struct mote_transfer *t, struct mote_ftp *f, mote_time now)
{
  const uint8_t *ip = f->named.ip;
  char command[40];
  (void)now;
  (void)mote_snprintf(command, sizeof command, "PORT %d,%d,%d,%d,%d,%d", ip[0], ip[1], ip[2], ip[3],
                      f->named.port >> 8, f->named.port & 255);
  return mote_pp_say(t, &f->pp, command);
}

CURLcode mote_ftp_take_port(struct mote_transfer *t, struct mote_ftp *f, unsigned code,
                            struct mote_slice text)
{
  (void)text;
  if(code / 100 == 2)
    return MOTE_PP_TO(MOTE_FTP_TYPE);
  if(f->pp.stage == MOTE_FTP_EPRT && !is_ip6(t)) {
    f->no_eprt = true;
    return MOTE_PP_TO(MOTE_FTP_PORT);
  }
  return mote_ftp_refused(t, CURLE_FTP_PORT_FAILED, "The server does not connect to this machine");
}

/* ---- the command that moves the data ---- */

/* The server's last reply may come before the data does, or instead of it. */
static CURLcode ftp_data_begin(struct mote_transfer *t, struct mote_ftp *f)
{
  if(!f->upload)
    t->run->response.size_down = f->left;
  (void)mote_pp_go(&f->pp, MOTE_FTP_READY);
  f->pp.listens = true;
  return CURLE_OK;
}

CURLcode mote_ftp_send_move(struct mote_transfer *t, struct mote_ftp *f, mote_time now)
{
  (void)now;
  if(f->upload)
    return mote_ftp_send_name(t, f, f->from || mote_opt_long(&t->options, CURLOPT_APPEND) ? "APPE" : "STOR");
  if(!f->listing)
    return mote_ftp_send_name(t, f, "RETR");
  return mote_ftp_send_list(t, f, list_verb(t, f));
}

CURLcode mote_ftp_take_move(struct mote_transfer *t, struct mote_ftp *f, unsigned code,
                            struct mote_slice text)
{
  if(f->upload && code >= 400)
    return mote_ftp_refused(t, CURLE_UPLOAD_FAILED, "The upload is refused");
  if(!f->upload && f->listing && code == 450) { /* no file is there */
    mote_data_close(t, &f->data);
    return mote_ftp_quote_begin(t, f, MOTE_FTP_POSTQUOTE);
  }
  if(!f->upload && code == 550 && !f->listing)
    return mote_ftp_refused(t, CURLE_REMOTE_FILE_NOT_FOUND, "The file does not exist");
  if(!f->upload && code != 150 && code != 125 && code != 126)
    return mote_ftp_refused(t, CURLE_FTP_COULDNT_RETR_FILE, "The file or list is refused");
  if(!f->upload && !f->listing && !f->from)
    mote_ftp_read_size(t, f, text);
  return ftp_data_begin(t, f);
}

/* ---- the end of the data ---- */

/* A server takes the end of a connection that failed for the end of the file, and may confirm it. */
static CURLcode ftp_data_judge(struct mote_transfer *t, struct mote_ftp *f, unsigned code)
{
  mote_data_close(t, &f->data);
  if(code == 421)
    return mote_ftp_left(t);
  if(code == 552)
    return mote_ftp_refused(t, CURLE_REMOTE_DISK_FULL, "The server has no more room");
  if(f->broken)
    return mote_ftp_refused(t, CURLE_SEND_ERROR, "Not all of the file was sent");
  if(code != 226 && code != 250)
    return mote_ftp_refused(t, CURLE_PARTIAL_FILE, "The server did not confirm the transfer");
  return mote_ftp_quote_begin(t, f, MOTE_FTP_POSTQUOTE);
}

CURLcode mote_ftp_expect_last(struct mote_transfer *t, struct mote_ftp *f, mote_time now)
{
  (void)now;
  return f->last ? ftp_data_judge(t, f, f->last) : mote_pp_expect(&f->pp, MOTE_FTP_LAST);
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

CURLcode mote_ftp_receive_file(struct mote_transfer *t, struct mote_ftp *f, mote_time now)
{
  const struct mote_body_filter ascii = {.cut = cut_lines, .state = f, .open_end = true, .counts_all = true};
  const struct mote_body_filter *filter = mote_ftp_list_filter(f);
  CURLcode rc;
  if(!filter && f->wanted == 'A')
    filter = &ascii;
  rc = mote_body_receive(t, f->data, &f->left, filter, now);
  if(rc)
    return rc;
  mote_data_close(t, &f->data);
  return f->cut ? MOTE_PP_TO(MOTE_FTP_ABOR) : mote_ftp_expect_last(t, f, now);
}

CURLcode mote_ftp_make_ready(struct mote_transfer *t, struct mote_ftp *f, mote_time now)
{
  CURLcode rc = mote_data_step(t, f->data, now);
  if(rc == CURLE_AGAIN && f->last >= 400 && !mote_data_is_connected(f->data)) {
    return mote_ftp_refused(t, CURLE_FTP_ACCEPT_FAILED, "The server does not begin the data connection");
  }
  if(rc == CURLE_FTP_ACCEPT_TIMEOUT)
    f->doubtful = f->pp.at_rest = true;
  if(rc)
    return rc;
  (void)mote_pp_go(&f->pp, f->upload ? MOTE_FTP_SEND : MOTE_FTP_RECEIVE);
  f->cr = false;
  f->pp.listens = true;
  mote_conn_look_again(f->data);
  return f->upload ? CURLE_OK : mote_ftp_receive_file(t, f, now);
}

/* The server gives its reason when it does not take the file. */
static CURLcode hear_why(struct mote_transfer *t, struct mote_ftp *f)
{
  mote_data_close(t, &f->data);
  return MOTE_PP_TO(MOTE_FTP_LAST);
}

CURLcode mote_ftp_send_file(struct mote_transfer *t, struct mote_ftp *f, mote_time now)
{
  CURLcode rc = mote_body_send(t, f->data, now);
  f->broken = rc == CURLE_SEND_ERROR;
  if(rc == CURLE_SEND_ERROR || (f->last >= 400 && (!rc || rc == CURLE_AGAIN)))
    return hear_why(t, f);
  return rc ? rc : MOTE_PP_TO(MOTE_FTP_FINISH);
}

CURLcode mote_ftp_finish_file(struct mote_transfer *t, struct mote_ftp *f, mote_time now)
{
  CURLcode rc = mote_data_finish(f->data);
  (void)now;
  if(rc == CURLE_SEND_ERROR)
    return hear_why(t, f);
  if(rc)
    return rc;
  mote_mark_set(&t->run->stats, MOTE_MARK_POSTTRANSFER, mote_port_now());
  return MOTE_PP_TO(MOTE_FTP_LAST);
}

CURLcode mote_ftp_take_last(struct mote_transfer *t, struct mote_ftp *f, unsigned code,
                            struct mote_slice text)
{
  (void)text;
  return ftp_data_judge(t, f, code);
}

/* Which of the replies is that of ABOR is not certain, so the connection is not used again. */
CURLcode mote_ftp_take_abor(struct mote_transfer *t, struct mote_ftp *f, unsigned code,
                            struct mote_slice text)
{
  (void)code;
  (void)text;
  return mote_ftp_quote_begin(t, f, MOTE_FTP_POSTQUOTE);
}
