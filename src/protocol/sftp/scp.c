/* protocol/sftp/scp.c: downloads or uploads a file by SCP, in a channel of its own on a connection of SSH
 * (protocol/ssh/ssh.h). libssh2 exchanges the lines in front of the file. A NUL after it says that it is
 * whole, and the server answers with a NUL, or with 1 or 2 and a text where the file could not be stored.
 *
 * Errors: CURLE_REMOTE_FILE_NOT_FOUND, CURLE_UPLOAD_FAILED (a size is needed), CURLE_SSH,
 *         CURLE_PARTIAL_FILE, CURLE_URL_MALFORMAT, and those of protocol/body.h.
 * Tests:  tests/e2e/test_sftp.py */
#include <string.h>

#include "codec/url/percent.h"
#include "codec/url/url.h"
#include "http/auth/auth.h"
#include "net/stream.h"
#include "protocol/body.h"
#include "protocol/sftp/sftp.h"
#include "transfer/download/sink.h"
#include "transfer/multi/schedule.h"
#include "transfer/protocol.h"
#include "transfer/report/progress.h"
#include "transfer/upload/source.h"

#define PATH_MOST 4096u     /* bytes of a path, with its NUL */
#define PIECE 32000u        /* bytes that are sent at once */

enum scp_stage {
  SCP_OPENING = MOTE_SSH_READY + 1,
  SCP_MOVING,
  SCP_CONFIRMING,
  SCP_ENDING,
  SCP_LEAVING,
  SCP_FREEING,
  SCP_OVER
};

/* ---- beginning ---- */

/* "/~/" in front stands for the directory where the user begins, where a path without a slash leads, too. */
static CURLcode read_path(struct mote_transfer *t, char room[PATH_MOST], const char **path)
{
  struct mote_url url;
  struct mote_slice text;
  size_t len;
  CURLcode rc;
  mote_url_unpack(&t->run->request.url, &url);
  text = mote_url_get(&url, MOTE_URL_PATH);
  rc = mote_percent_decode(text, MOTE_PERCENT_REJECT_NUL, room, PATH_MOST - 1, &len);
  if(rc)
    return mote_fail_as(rc, &t->report, "The path of the URL has a NUL, or more than %u bytes",
                        PATH_MOST - 1);
  room[len] = 0;
  *path = len > 3 && !memcmp(room, "/~/", 3) ? room + 3 : room;
  return CURLE_OK;
}

/* The connection is as good as before. */
static CURLcode scp_refuse(struct mote_transfer *t, struct mote_ssh *s, CURLcode rc, const char *why)
{
  s->talk.at_rest = true;
  return mote_talk_failed(t, rc, why);
}

/* libssh2 quotes the path for the server's shell. The name of a file that is sent also stands in a line of
 * SCP's own, of which a line end in it would make two. */
static bool scp_is_one_line(const char *path)
{
  const char *name = strrchr(path, '/');
  return !strchr(name ? name : path, '\n');
}

static CURLcode scp_open_channel(struct mote_transfer *t, struct mote_talk *talk)
{
  struct mote_ssh *s = (struct mote_ssh *)talk;
  libssh2_struct_stat facts = {.st_size = 0};
  curl_off_t size = s->sftp.upload && t->run->body ? mote_source_size(t) : 0;
  char room[PATH_MOST];
  const char *path;
  CURLcode rc = read_path(t, room, &path);
  if(rc)
    return rc;
  if(size < 0)
    return scp_refuse(t, s, CURLE_UPLOAD_FAILED,
                      "SCP has to know the size of an upload (CURLOPT_INFILESIZE)");
  if(s->sftp.upload && !scp_is_one_line(path))
    return scp_refuse(t, s, CURLE_URL_MALFORMAT, "SCP cannot send a file whose name has a line end");
  mote_ssh_enter(s);
  s->channel = s->sftp.upload
    ? libssh2_scp_send64(s->session, path, (int)mote_opt_long(&t->options, CURLOPT_NEW_FILE_PERMS),
                         size, 0, 0)
    : libssh2_scp_recv2(s->session, path, &facts);
  if(!s->channel) {
    int result = libssh2_session_last_errno(s->session);
    s->talk.at_rest = result == LIBSSH2_ERROR_SCP_PROTOCOL && !s->spun;
    return mote_ssh_judge(t, s, result, s->sftp.upload ? CURLE_UPLOAD_FAILED
                          : result == LIBSSH2_ERROR_SCP_PROTOCOL ? CURLE_REMOTE_FILE_NOT_FOUND : CURLE_SSH,
                          "The file cannot be transferred");
  }
  s->talk.at_rest = false;
  mote_response_arrive(&t->run->response);
  s->sftp.left = s->sftp.upload ? size : (curl_off_t)facts.st_size;
  if(s->sftp.left < 0) /* libssh2 takes the server's number as it is */
    return mote_talk_failed(t, CURLE_SSH, "The server reports a file size below 0");
  if(s->sftp.upload)
    mote_request_announce(&t->run->request, size);
  else
    mote_response_announce(&t->run->response, s->sftp.left);
  return CURLE_OK;
}

/* ---- moving ---- */

static CURLcode scp_receive(struct mote_transfer *t, struct mote_ssh *s)
{
  uint32_t size = (uint32_t)mote_opt_long(&t->options, CURLOPT_BUFFERSIZE);
  size_t most = size < CURL_MAX_WRITE_SIZE ? size : CURL_MAX_WRITE_SIZE, n;
  char *buffer = mote_schedule_buffer(t->multi, size);
  CURLcode rc;
  if(!buffer)
    return CURLE_OUT_OF_MEMORY;
  if((curl_off_t)most > s->sftp.left)
    most = (size_t)s->sftp.left;
  most = mote_speed_allow_down(t, s->talk.now, most);
  t->run->flow.recv.limited = !most;
  if(!most)
    return CURLE_AGAIN;
  rc = mote_ssh_get(t, s, buffer, most, &n);
  if(rc)
    return rc;
  if(!n)
    return mote_fail_as(CURLE_PARTIAL_FILE, &t->report, "The server has ended the file early");
  mote_mark_response(&t->run->stats, s->talk.now);
  s->sftp.left -= (curl_off_t)n;
  mote_speed_passed_down(t, n);
  return mote_body_deliver(t, buffer, n);
}

/* Takes what the server says of the file. CURLE_AGAIN: nothing. */
static CURLcode scp_take_answer(struct mote_transfer *t, struct mote_ssh *s)
{
  char said[512];
  size_t n;
  CURLcode rc = mote_ssh_get(t, s, said, sizeof said, &n);
  if(rc || (n && !said[0]))
    return rc;
  if(!n)
    return mote_fail_as(CURLE_UPLOAD_FAILED, &t->report, "The server has not confirmed the file");
  while(n && (said[n - 1] == '\n' || !said[n - 1]))
    n--;
  return mote_fail_as(CURLE_UPLOAD_FAILED, &t->report, "The server ends the upload: %.*s",
                      n > 1 ? (int)n - 1 : 0, said + 1);
}

/* Lets libssh2 see what comes meanwhile: room for more, or why the server does not want it. */
static CURLcode scp_listen_to(struct mote_transfer *t, struct mote_ssh *s)
{
  CURLcode rc = scp_take_answer(t, s);
  return rc == CURLE_AGAIN ? CURLE_OK : rc;
}

static CURLcode scp_transmit(struct mote_transfer *t, struct mote_ssh *s)
{
  struct mote_piece p = {.most = mote_speed_allow_up(t, s->talk.now, PIECE)};
  CURLcode rc = scp_listen_to(t, s);
  if(!rc)
    rc = mote_ssh_flush(t, s);
  if(!rc && t->run->flow.send.paused)
    rc = CURLE_AGAIN;
  t->run->flow.send.limited = !p.most;
  if(rc || !p.most)
    return rc ? rc : CURLE_AGAIN;
  p.room = mote_schedule_buffer(t->multi, PIECE);
  if(!p.room)
    return CURLE_OUT_OF_MEMORY;
  rc = t->run->body ? mote_source_read(t, &p) : CURLE_PARTIAL_FILE;
  if(rc)
    return rc;
  if((curl_off_t)p.len > s->sftp.left || (p.end && (curl_off_t)p.len < s->sftp.left))
    return mote_fail_as(CURLE_PARTIAL_FILE, &t->report, "The upload has not the size that it was to have");
  s->sftp.left -= (curl_off_t)p.len;
  t->run->stats.bytes_up += (curl_off_t)p.len;
  mote_speed_passed_up(t, p.len);
  return p.len ? mote_ssh_put(t, s, p.bytes, p.len) : CURLE_OK;
}

static CURLcode scp_move(struct mote_transfer *t, struct mote_talk *talk)
{
  struct mote_ssh *s = (struct mote_ssh *)talk;
  CURLcode rc;
  if(s->sftp.left > 0) {
    rc = s->sftp.upload ? scp_transmit(t, s) : scp_receive(t, s);
    return rc ? rc : mote_talk_go(talk, SCP_MOVING);
  }
  if(!s->sftp.upload)
    return mote_talk_go(talk, SCP_FREEING);
  rc = scp_listen_to(t, s);
  return rc ? rc : mote_ssh_flush(t, s);
}

/* ---- the end ---- */

static CURLcode scp_confirm(struct mote_transfer *t, struct mote_talk *talk)
{
  struct mote_ssh *s = (struct mote_ssh *)talk;
  CURLcode rc = s->sftp.source_over ? mote_ssh_flush(t, s) : mote_ssh_put(t, s, "", 1);
  s->sftp.source_over = true; /* it goes once, now or by the queue */
  return rc ? rc : scp_take_answer(t, s);
}

static CURLcode end_file(struct mote_transfer *t, struct mote_talk *talk)
{
  struct mote_ssh *s = (struct mote_ssh *)talk;
  int result;
  mote_ssh_enter(s);
  result = libssh2_channel_send_eof(s->channel);
  if(result)
    return mote_ssh_judge(t, s, result, CURLE_SSH, "The upload cannot be ended");
  mote_mark_set(&t->run->stats, MOTE_MARK_POSTTRANSFER, s->talk.now);
  return CURLE_OK;
}

static CURLcode await_end(struct mote_transfer *t, struct mote_talk *talk)
{
  struct mote_ssh *s = (struct mote_ssh *)talk;
  int result;
  mote_ssh_enter(s);
  result = libssh2_channel_wait_eof(s->channel);
  if(result == LIBSSH2_ERROR_EAGAIN)
    return mote_ssh_judge(t, s, result, CURLE_SSH, "");
  return CURLE_OK;
}

static CURLcode free_channel(struct mote_transfer *t, struct mote_talk *talk)
{
  struct mote_ssh *s = (struct mote_ssh *)talk;
  int result;
  mote_ssh_enter(s);
  result = libssh2_channel_free(s->channel);
  if(result == LIBSSH2_ERROR_EAGAIN)
    return mote_ssh_judge(t, s, result, CURLE_SSH, "");
  s->channel = NULL;
  s->talk.at_rest = !result;
  return CURLE_OK;
}

static const struct mote_stage stages[] = {
#define AT(stage) [(stage) - SCP_OPENING]
  AT(SCP_OPENING) = {"channel", scp_open_channel, NULL, SCP_MOVING, false},
  AT(SCP_MOVING) = {"file", scp_move, NULL, SCP_CONFIRMING, false},
  AT(SCP_CONFIRMING) = {"answer", scp_confirm, NULL, SCP_ENDING, false},
  AT(SCP_ENDING) = {"EOF", end_file, NULL, SCP_LEAVING, false},
  AT(SCP_LEAVING) = {"EOF of the server", await_end, NULL, SCP_FREEING, false},
  AT(SCP_FREEING) = {"end of the channel", free_channel, NULL, SCP_OVER, false},
#undef AT
};

static const struct mote_talk_row row = {.stages = stages, .own_from = SCP_OPENING};

/* ---- the row ---- */

static CURLcode scp_begin(struct mote_transfer *t)
{
  struct mote_ssh *s = mote_ssh_of(t);
  memset(&s->sftp, 0, sizeof s->sftp);
  s->sftp.upload = t->run->request.method == MOTE_METHOD_PUT;
  (void)mote_talk_go(&s->talk, t->run->request.method == MOTE_METHOD_HEAD ? SCP_OVER : SCP_OPENING);
  mote_response_announce(&t->run->response, -1);
  return CURLE_OK;
}

static CURLcode scp_step(struct mote_transfer *t, mote_time now)
{
  struct mote_ssh *s = mote_ssh_of(t);
  struct mote_flow *flow = &t->run->flow;
  CURLcode rc = mote_ssh_flush(t, s);
  if(rc && rc != CURLE_AGAIN)
    return rc;
  s->gated = false;
  flow->recv.limited = flow->send.limited = false;
  rc = flow->recv.paused ? CURLE_AGAIN : mote_sink_resume(t);
  if(!rc)
    rc = mote_talk_step(t, &s->talk, &row, now, SCP_OVER);
  if(!rc)
    return mote_body_finish(t, s->conn);
  if(rc != CURLE_AGAIN)
    return rc;
  if(!flow->recv.paused && !flow->recv.limited)
    return mote_ssh_wait(t, s);
  return mote_conn_want(s->conn, s->unsent.len ? MOTE_WANT_OUT : 0) ? CURLE_OUT_OF_MEMORY : CURLE_AGAIN;
}

static void scp_end(struct mote_transfer *t, CURLcode rc)
{
  struct mote_ssh *s = mote_ssh_of(t);
  (void)rc;
  mote_conn_set_reusable(s->conn, s->talk.at_rest && !s->channel && !s->failed && !mote_conn_at_end(s->conn));
}

const struct mote_protocol mote_protocol_scp = {
  .name = "scp",
  MOTE_SFTP_ROW,
  .begin = scp_begin,
  .step = scp_step,
  .end = scp_end,
};
