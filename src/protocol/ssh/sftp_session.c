/* protocol/ssh/sftp_session.c: starts SFTP on a connection whose user is logged in (protocol/ssh/sftp.h). */
#include <string.h>

#include "protocol/ssh/sftp.h"

static CURLcode sftp_session_open_channel(struct mote_transfer *t, struct mote_ssh *s)
{
  mote_ssh_enter(s);
  s->channel = libssh2_channel_open_ex(s->session, "session", 7, MOTE_SSH_WINDOW, MOTE_SSH_PACKET, NULL, 0);
  if(!s->channel)
    return mote_ssh_judge(t, s, libssh2_session_last_errno(s->session), CURLE_SSH,
                          "The server opens no channel");
  (void)libssh2_channel_handle_extended_data2(s->channel, LIBSSH2_CHANNEL_EXTENDED_DATA_IGNORE);
  return mote_ssh_go(s, MOTE_SSH_SUBSYSTEM);
}

static CURLcode say_init(struct mote_transfer *t, struct mote_ssh *s)
{
  char room[MOTE_SFTP_HEAD], *end = mote_sftp_begin(room, MOTE_SFTP_INIT, MOTE_SFTP_VERSION_NUMBER);
  CURLcode rc = mote_sftp_send(t, s, room, end);
  return rc ? rc : mote_ssh_go(s, MOTE_SSH_VERSION);
}

/* The stages CHANNEL and SUBSYSTEM. */
CURLcode mote_sftp_start(struct mote_transfer *t, struct mote_ssh *s)
{
  int result;
  if(s->stage == MOTE_SSH_CHANNEL)
    return sftp_session_open_channel(t, s);
  mote_ssh_enter(s);
  result = libssh2_channel_subsystem(s->channel, "sftp");
  if(result)
    return mote_ssh_judge(t, s, result, CURLE_SSH, "The server does not offer SFTP");
  return say_init(t, s);
}

/* Reads one event, which is a whole answer. Its texts are no longer there. */
static CURLcode sftp_session_read_answer(struct mote_transfer *t, struct mote_ssh *s,
                                         struct mote_sftp_event *e)
{
  struct mote_sftp_reader r;
  CURLcode rc = mote_sftp_reader_begin(t, s, &r);
  if(rc)
    return rc;
  rc = mote_sftp_read_event(t, s, &r, e);
  if(!rc && e->type == MOTE_SFTP_NAME && e->text.len)
    rc = mote_buf_add(&s->home, e->text.ptr, e->text.len);
  return mote_sftp_reader_end(s, &r, rc);
}

CURLcode mote_sftp_version(struct mote_transfer *t, struct mote_ssh *s)
{
  char room[MOTE_SFTP_HEAD + 5], *at;
  struct mote_sftp_event e;
  CURLcode rc = sftp_session_read_answer(t, s, &e);
  if(rc)
    return rc;
  if(e.type != MOTE_SFTP_VERSION || e.id < MOTE_SFTP_VERSION_NUMBER)
    return mote_sftp_unexpected(t);
  at = mote_sftp_put_text(mote_sftp_request(s, room, MOTE_SFTP_REALPATH), mote_slice_of("."));
  rc = mote_sftp_send(t, s, room, at);
  return rc ? rc : mote_ssh_go(s, MOTE_SSH_HOME);
}

CURLcode mote_sftp_home(struct mote_transfer *t, struct mote_ssh *s)
{
  struct mote_sftp_event e;
  CURLcode rc = sftp_session_read_answer(t, s, &e);
  if(rc)
    return rc;
  if(e.id != s->sftp.id || e.type != MOTE_SFTP_NAME || !e.end || !s->home.len) {
    mote_fail(&t->report, "The server does not say in which directory the user begins");
    return CURLE_SSH;
  }
  return mote_ssh_go(s, MOTE_SSH_READY);
}
