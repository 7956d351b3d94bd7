/* protocol/ssh/sftp_session.c: starts SFTP on a connection whose user is logged in (protocol/ssh/sftp.h). */
#include "protocol/ssh/sftp.h"

/* SCP opens a channel for each file. */
CURLcode mote_sftp_open_channel(struct mote_transfer *t, struct mote_talk *talk)
{
  struct mote_ssh *s = (struct mote_ssh *)talk;
  if(t->run->request.scheme->curlproto != CURLPROTO_SFTP)
    return mote_talk_go(talk, MOTE_SSH_READY);
  mote_ssh_enter(s);
  s->channel = libssh2_channel_open_ex(s->session, "session", 7, MOTE_SSH_WINDOW, MOTE_SSH_PACKET, NULL, 0);
  if(!s->channel)
    return mote_ssh_judge(t, s, libssh2_session_last_errno(s->session), CURLE_SSH,
                          "The server opens no channel");
  (void)libssh2_channel_handle_extended_data2(s->channel, LIBSSH2_CHANNEL_EXTENDED_DATA_IGNORE);
  return CURLE_OK;
}

CURLcode mote_sftp_start(struct mote_transfer *t, struct mote_talk *talk)
{
  struct mote_ssh *s = (struct mote_ssh *)talk;
  int result;
  mote_ssh_enter(s);
  result = libssh2_channel_subsystem(s->channel, "sftp");
  return result ? mote_ssh_judge(t, s, result, CURLE_SSH, "The server does not offer SFTP") : CURLE_OK;
}

CURLcode mote_sftp_send_init(struct mote_transfer *t, struct mote_talk *talk)
{
  char room[MOTE_SFTP_HEAD];
  struct mote_out o = mote_out_in(room, sizeof room);
  mote_sftp_begin(&o, MOTE_SFTP_INIT, MOTE_SFTP_VERSION_NUMBER);
  return mote_sftp_send(t, (struct mote_ssh *)talk, &o);
}

CURLcode mote_sftp_take_version(struct mote_transfer *t, struct mote_talk *talk, const struct mote_reply *r)
{
  const struct mote_sftp_event *e = r->more;
  (void)talk;
  return e->type == MOTE_SFTP_VERSION && e->id >= MOTE_SFTP_VERSION_NUMBER ? CURLE_OK
                                                                           : mote_sftp_unexpected(t);
}

CURLcode mote_sftp_ask_home(struct mote_transfer *t, struct mote_talk *talk)
{
  struct mote_ssh *s = (struct mote_ssh *)talk;
  char room[MOTE_SFTP_HEAD + 5];
  struct mote_out o = mote_out_in(room, sizeof room);
  mote_sftp_request(s, &o, MOTE_SFTP_REALPATH);
  mote_sftp_put_text(&o, mote_slice_of("."));
  return mote_sftp_send(t, s, &o);
}

CURLcode mote_sftp_take_home(struct mote_transfer *t, struct mote_talk *talk, const struct mote_reply *r)
{
  struct mote_ssh *s = (struct mote_ssh *)talk;
  const struct mote_sftp_event *e = r->more;
  if(e->id == s->sftp.id && e->type == MOTE_SFTP_NAME && e->end && e->text.len)
    return mote_buf_add(&s->home, e->text.ptr, e->text.len);
  return mote_talk_failed(t, CURLE_SSH, "The server does not say in which directory the user begins");
}
