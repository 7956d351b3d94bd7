/* protocol/ftp.c: the row of FTP, the start and the end of an exchange (protocol/ftp.h). */
#include "protocol/ftp.h"

#include <stddef.h>
#include <string.h>

#include "codec/reply.h"
#include "connect/data.h"
#include "net/conn.h"
#include "transfer/protocol.h"
#include "transfer/source.h"

/* ---- stages ---- */

static const struct mote_ftp_act *const acts[MOTE_FTP_OVER] = {
  [MOTE_FTP_BANNER] = &mote_ftp_banner,
  [MOTE_FTP_AUTH] = &mote_ftp_auth,
  [MOTE_FTP_SECURE] = &mote_ftp_secure,
  [MOTE_FTP_USER] = &mote_ftp_user,
  [MOTE_FTP_PASS] = &mote_ftp_pass,
  [MOTE_FTP_ACCT] = &mote_ftp_acct,
  [MOTE_FTP_ALTERNATIVE] = &mote_ftp_alternative,
  [MOTE_FTP_PBSZ] = &mote_ftp_pbsz,
  [MOTE_FTP_PROT] = &mote_ftp_prot,
  [MOTE_FTP_CCC] = &mote_ftp_ccc,
  [MOTE_FTP_CLEAR] = &mote_ftp_clear,
  [MOTE_FTP_PWD] = &mote_ftp_pwd,
  [MOTE_FTP_SYST] = &mote_ftp_syst,
  [MOTE_FTP_NAMEFMT] = &mote_ftp_namefmt,
  [MOTE_FTP_QUOTE] = &mote_ftp_quote,
  [MOTE_FTP_CWD] = &mote_ftp_cwd,
  [MOTE_FTP_MKD] = &mote_ftp_mkd,
  [MOTE_FTP_MDTM] = &mote_ftp_mdtm,
  [MOTE_FTP_PASSIVE] = &mote_ftp_passive,
  [MOTE_FTP_PRET] = &mote_ftp_pret,
  [MOTE_FTP_EPSV] = &mote_ftp_epsv,
  [MOTE_FTP_PASV] = &mote_ftp_pasv,
  [MOTE_FTP_OPEN] = &mote_ftp_open,
  [MOTE_FTP_LISTEN] = &mote_ftp_listen,
  [MOTE_FTP_EPRT] = &mote_ftp_eprt,
  [MOTE_FTP_PORT] = &mote_ftp_port,
  [MOTE_FTP_TYPE] = &mote_ftp_type,
  [MOTE_FTP_PREQUOTE] = &mote_ftp_quote,
  [MOTE_FTP_SIZE] = &mote_ftp_size,
  [MOTE_FTP_REST] = &mote_ftp_rest,
  [MOTE_FTP_MOVE] = &mote_ftp_move,
  [MOTE_FTP_READY] = &mote_ftp_ready,
  [MOTE_FTP_RECEIVE] = &mote_ftp_receive,
  [MOTE_FTP_SEND] = &mote_ftp_send,
  [MOTE_FTP_FINISH] = &mote_ftp_finish,
  [MOTE_FTP_LAST] = &mote_ftp_last,
  [MOTE_FTP_ABOR] = &mote_ftp_abor,
  [MOTE_FTP_POSTQUOTE] = &mote_ftp_quote,
};

static CURLcode ask(struct mote_transfer *t, struct mote_pp *pp, mote_time now)
{
  struct mote_ftp *f = (struct mote_ftp *)pp;
  const struct mote_ftp_act *act = acts[pp->stage];
  CURLcode rc = f->meta ? mote_ftp_deliver_meta(t, f) : CURLE_OK;
  if(rc)
    return rc;
  return act->ask ? act->ask(t, f, now) : mote_pp_say(t, pp, act->command);
}

/* Keeps the first reply that comes while data move. What others answer is unknown. */
static CURLcode keep_reply(struct mote_transfer *t, struct mote_ftp *f, unsigned code)
{
  if(f->last) {
    f->doubtful = true;
    return CURLE_OK;
  }
  f->last = (uint16_t)code;
  t->run->response.code = (uint16_t)code;
  return CURLE_OK;
}

/* 421 may come at any time. While data moves, these come first. */
static CURLcode line(struct mote_transfer *t, struct mote_pp *pp, struct mote_slice text)
{
  struct mote_ftp *f = (struct mote_ftp *)pp;
  unsigned code = mote_reply_take(&pp->open, text);
  if(!code)
    return CURLE_AGAIN;
  if(pp->listens)
    return keep_reply(t, f, code);
  t->run->response.code = (uint16_t)code;
  if(code == 421)
    return mote_ftp_left(t);
  return acts[pp->stage]->reply(t, f, code, mote_reply_text(text));
}

/* Data that are under way are still taken, as the last reply may have come before them. */
static CURLcode closed(struct mote_transfer *t, struct mote_pp *pp)
{
  const struct mote_ftp *f = (const struct mote_ftp *)pp;
  if(!pp->listens || !mote_data_is_connected(f->data))
    return mote_ftp_failed(t, CURLE_RECV_ERROR, "The server has closed the connection");
  pp->listens = false;
  return mote_conn_want(t->run->channel.conn, 0);
}

static const struct mote_pp_row row = {
  .ask = ask, .line = line, .closed = closed, .line_most = MOTE_FTP_LINE_MOST,
};

/* ---- the greeting ---- */

static CURLcode ftp_greet(struct mote_transfer *t, mote_time now)
{
  struct mote_ftp *f = mote_ftp_of(t);
  CURLcode rc = mote_pp_step(t, &f->pp, &row, now, MOTE_FTP_GREETED);
  f->pp.at_rest = !rc;
  return rc;
}

/* ---- an exchange ---- */

static void reset(struct mote_ftp *f)
{
  memset((char *)f + offsetof(struct mote_ftp, data), 0, sizeof *f - offsetof(struct mote_ftp, data));
  f->left = -1;
  f->size = -1;
}

/* A URL with an encoded line end is refused when the server has greeted, and then the connection is closed,
 * as in libcurl. */
static CURLcode ftp_begin(struct mote_transfer *t)
{
  struct mote_ftp *f = mote_ftp_of(t);
  CURLcode rc;
  reset(f);
  f->upload = t->run->request.method == MOTE_METHOD_PUT;
  f->head = t->run->request.method == MOTE_METHOD_HEAD;
  t->run->response.size_down = -1;
  mote_conn_clear_events(t->run->channel.conn);
  rc = mote_ftp_report_entry(t, f);
  if(!rc)
    rc = mote_ftp_path_begin(t, f);
  if(!rc)
    rc = mote_ftp_list_begin(t, f);
  if(!rc && f->upload && f->wanted == 'A' && !mote_opt_long(&t->options, CURLOPT_CRLF) &&
     !mote_source_push(t, &mote_source_crlf))
    rc = CURLE_OUT_OF_MEMORY;
  f->pp.at_rest = !rc;
  return rc ? rc : mote_ftp_quote_begin(t, f, MOTE_FTP_QUOTE);
}

static CURLcode ftp_step(struct mote_transfer *t, mote_time now)
{
  struct mote_ftp *f = mote_ftp_of(t);
  CURLcode rc;
  do {
    rc = mote_pp_step(t, &f->pp, &row, now, MOTE_FTP_OVER);
    if(rc)
      return rc;
  } while(mote_ftp_list_next(t, f, &rc));
  if(rc)
    return rc;
  f->pp.at_rest = true;
  if(f->meta)
    rc = mote_ftp_deliver_meta(t, f);
  return rc ? rc : mote_pp_finish(t);
}

static void ftp_end(struct mote_transfer *t, CURLcode rc)
{
  struct mote_ftp *f = mote_ftp_of(t);
  (void)rc;
  mote_data_close(t, &f->data);
  mote_ftp_list_end(t, f);
  f->used = true;
  mote_pp_end(t);
  if(f->cut || f->doubtful)
    mote_conn_set_reusable(t->run->channel.conn, false);
}

static const struct mote_driver ftp_driver = {
  .name = "ftp", .goodbye = mote_pp_quit, .discard = mote_ftp_discard,
};

const struct mote_protocol mote_protocol_ftp = {
  .name = "ftp",
  .conn_size = MOTE_FTP_STATE_SIZE,
  .driver = &ftp_driver,
  .login = mote_ftp_identity,
  .prepare = mote_ftp_prepare,
  .greet = ftp_greet,
  .begin = ftp_begin,
  .step = ftp_step,
  .end = ftp_end,
};
