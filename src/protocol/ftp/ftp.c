/* protocol/ftp/ftp.c: the row of FTP, the start and the end of an exchange (protocol/ftp/ftp.h). */
#include "protocol/ftp/ftp.h"

#include <stddef.h>
#include <string.h>

#include "codec/ftp/reply.h"
#include "connect/data/data.h"
#include "net/conn.h"
#include "transfer/protocol.h"
#include "transfer/upload/source.h"

/* ---- stages ---- */

#define BIT(stage) (UINT64_C(1) << MOTE_FTP_##stage)
#define COMMANDS (BIT(PBSZ) | BIT(CCC) | BIT(PWD) | BIT(SYST) | BIT(NAMEFMT) \
                  | BIT(EPSV) | BIT(PASV) | BIT(ABOR))

static const struct {
  union {
    mote_ftp_ask *fn;
    const char *command; /* of a stage among COMMANDS, which does no more than send it */
  } ask;
  mote_ftp_reply *reply; /* NULL: the stage has no command */
} acts[MOTE_FTP_OVER] = {
  [MOTE_FTP_BANNER] = {.ask.fn = mote_ftp_expect_banner, .reply = mote_ftp_take_banner},
  [MOTE_FTP_AUTH] = {.ask.fn = mote_ftp_send_auth, .reply = mote_ftp_take_auth},
  [MOTE_FTP_SECURE] = {.ask.fn = mote_ftp_begin_tls},
  [MOTE_FTP_USER] = {.ask.fn = mote_ftp_send_login, .reply = mote_ftp_take_login},
  [MOTE_FTP_PASS] = {.ask.fn = mote_ftp_send_login, .reply = mote_ftp_take_login},
  [MOTE_FTP_ACCT] = {.ask.fn = mote_ftp_send_acct, .reply = mote_ftp_take_acct},
  [MOTE_FTP_ALTERNATIVE] = {.ask.fn = mote_ftp_send_alternative, .reply = mote_ftp_take_login},
  [MOTE_FTP_PBSZ] = {.ask.command = "PBSZ 0", .reply = mote_ftp_take_pbsz},
  [MOTE_FTP_PROT] = {.ask.fn = mote_ftp_send_prot, .reply = mote_ftp_take_prot},
  [MOTE_FTP_CCC] = {.ask.command = "CCC", .reply = mote_ftp_take_ccc},
  [MOTE_FTP_CLEAR] = {.ask.fn = mote_ftp_end_tls},
  [MOTE_FTP_PWD] = {.ask.command = "PWD", .reply = mote_ftp_take_pwd},
  [MOTE_FTP_SYST] = {.ask.command = "SYST", .reply = mote_ftp_take_syst},
  [MOTE_FTP_NAMEFMT] = {.ask.command = "SITE NAMEFMT 1", .reply = mote_ftp_take_namefmt},
  [MOTE_FTP_QUOTE] = {.ask.fn = mote_ftp_send_quote, .reply = mote_ftp_take_quote},
  [MOTE_FTP_CWD] = {.ask.fn = mote_ftp_send_cwd, .reply = mote_ftp_take_cwd},
  [MOTE_FTP_MKD] = {.ask.fn = mote_ftp_send_mkd, .reply = mote_ftp_take_mkd},
  [MOTE_FTP_MDTM] = {.ask.fn = mote_ftp_send_mdtm, .reply = mote_ftp_take_mdtm},
  [MOTE_FTP_PASSIVE] = {.ask.fn = mote_ftp_choose_data},
  [MOTE_FTP_PRET] = {.ask.fn = mote_ftp_send_pret, .reply = mote_ftp_take_pret},
  [MOTE_FTP_EPSV] = {.ask.command = "EPSV", .reply = mote_ftp_take_epsv},
  [MOTE_FTP_PASV] = {.ask.command = "PASV", .reply = mote_ftp_take_pasv},
  [MOTE_FTP_OPEN] = {.ask.fn = mote_ftp_open_data},
  [MOTE_FTP_LISTEN] = {.ask.fn = mote_ftp_listen},
  [MOTE_FTP_EPRT] = {.ask.fn = mote_ftp_send_eprt, .reply = mote_ftp_take_port},
  [MOTE_FTP_PORT] = {.ask.fn = mote_ftp_send_port, .reply = mote_ftp_take_port},
  [MOTE_FTP_TYPE] = {.ask.fn = mote_ftp_send_type, .reply = mote_ftp_take_type},
  [MOTE_FTP_PREQUOTE] = {.ask.fn = mote_ftp_send_quote, .reply = mote_ftp_take_quote},
  [MOTE_FTP_SIZE] = {.ask.fn = mote_ftp_send_size, .reply = mote_ftp_take_size},
  [MOTE_FTP_REST] = {.ask.fn = mote_ftp_send_rest, .reply = mote_ftp_take_rest},
  [MOTE_FTP_MOVE] = {.ask.fn = mote_ftp_send_move, .reply = mote_ftp_take_move},
  [MOTE_FTP_READY] = {.ask.fn = mote_ftp_make_ready},
  [MOTE_FTP_RECEIVE] = {.ask.fn = mote_ftp_receive_file},
  [MOTE_FTP_SEND] = {.ask.fn = mote_ftp_send_file},
  [MOTE_FTP_FINISH] = {.ask.fn = mote_ftp_finish_file},
  [MOTE_FTP_LAST] = {.ask.fn = mote_ftp_expect_last, .reply = mote_ftp_take_last},
  [MOTE_FTP_ABOR] = {.ask.command = "ABOR", .reply = mote_ftp_take_abor},
  [MOTE_FTP_POSTQUOTE] = {.ask.fn = mote_ftp_send_quote, .reply = mote_ftp_take_quote},
};

static CURLcode ftp_ask(struct mote_transfer *t, struct mote_pp *pp, mote_time now)
{
  struct mote_ftp *f = (struct mote_ftp *)pp;
  CURLcode rc = f->meta ? mote_ftp_deliver_meta(t, f) : CURLE_OK;
  if(rc)
    return rc;
  if(COMMANDS >> pp->stage & 1)
    return mote_pp_say(t, pp, acts[pp->stage].ask.command);
  return acts[pp->stage].ask.fn(t, f, now);
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
static CURLcode ftp_line(struct mote_transfer *t, struct mote_pp *pp, struct mote_slice text)
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
  return acts[pp->stage].reply(t, f, code, mote_reply_text(text));
}

/* Data that are under way are still taken, as the last reply may have come before them. */
static CURLcode ftp_closed(struct mote_transfer *t, struct mote_pp *pp)
{
  const struct mote_ftp *f = (const struct mote_ftp *)pp;
  if(!pp->listens || !mote_data_is_connected(f->data))
    return mote_ftp_failed(t, CURLE_RECV_ERROR, "The server has closed the connection");
  pp->listens = false;
  return mote_conn_want(t->run->channel.conn, 0);
}

static const struct mote_pp_row row = {
  .ask = ftp_ask, .line = ftp_line, .closed = ftp_closed, .line_most = MOTE_FTP_LINE_MOST,
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

static void ftp_reset(struct mote_ftp *f)
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
  ftp_reset(f);
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
  return rc ? rc : mote_pp_follow(&f->pp, mote_ftp_quote_begin(t, f, MOTE_FTP_QUOTE));
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
