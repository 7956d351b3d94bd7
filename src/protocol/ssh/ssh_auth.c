/* protocol/ssh/ssh_auth.c: logs in to a server of SSH (RFC 4252, RFC 4256): by public key, password, agent,
 * or keyboard-interactive, whatever of that CURLOPT_SSH_AUTH_TYPES and the server allow
 * (protocol/ssh/ssh.h). */
#include <string.h>

#include "auth/scheme.h"
#include "base/text/format.h"
#include "codec/url/percent.h"
#include "http/auth/auth.h"
#include "port/env.h"
#include "port/file.h"
#include "protocol/ssh/ssh.h"

#define WORD_MOST 1024u /* bytes of a user or a password */
#define PATH_MOST 1024u /* bytes of the path of a key, with its NUL */

/* ---- user and password ---- */

struct word {
  size_t len;
  char text[WORD_MOST + 1]; /* with a NUL */
};

static CURLcode ssh_auth_decode(struct mote_transfer *t, struct mote_slice word, bool coded, struct word *out)
{
  CURLcode rc = word.len > WORD_MOST ? CURLE_TOO_LARGE : CURLE_OK;
  out->len = word.len;
  if(!rc && coded)
    rc = mote_percent_decode(word, MOTE_PERCENT_REJECT_NUL, out->text, WORD_MOST, &out->len);
  else if(!rc && word.len)
    memcpy(out->text, word.ptr, word.len);
  if(rc)
    mote_fail(&t->report, "User or password has a NUL or more than %u bytes", WORD_MOST);
  else
    out->text[out->len] = 0;
  return rc;
}

static CURLcode ssh_auth_user_of(struct mote_transfer *t, struct word *out)
{
  struct mote_auth_login login;
  mote_http_find_login(t, &login);
  return ssh_auth_decode(t, login.user, login.user_coded, out);
}

static CURLcode password_of(struct mote_transfer *t, struct word *out)
{
  struct mote_auth_login login;
  mote_http_find_login(t, &login);
  return ssh_auth_decode(t, login.password, login.password_coded, out);
}

/* ---- ways to log in ---- */

static CURLcode accepted(struct mote_transfer *t, struct mote_ssh *s, const char *way)
{
  mote_info(&t->report, "Logged in by %s", way);
  return mote_talk_go(&s->talk, MOTE_SSH_CHANNEL);
}

/* A way has not worked: the next one follows, unless the connection or memory has failed. */
static CURLcode next_way(struct mote_transfer *t, struct mote_ssh *s, int result, const char *way)
{
  char *why = NULL;
  if(s->failed || s->starved || result == LIBSSH2_ERROR_EAGAIN || result == LIBSSH2_ERROR_ALLOC ||
     result == LIBSSH2_ERROR_SOCKET_DISCONNECT || result == LIBSSH2_ERROR_SOCKET_RECV)
    return mote_ssh_judge(t, s, result, CURLE_LOGIN_DENIED, "Logging in has failed");
  (void)libssh2_session_last_error(s->session, &why, NULL, 0);
  mote_info(&t->report, "No login by %s: %s", way, why ? why : "");
  return CURLE_OK;
}

static unsigned methods_in(const char *list)
{
  static const struct {
    const char *name;
    unsigned bits;
  } ways[] = {
    {"publickey", CURLSSH_AUTH_PUBLICKEY | CURLSSH_AUTH_AGENT},
    {"password", CURLSSH_AUTH_PASSWORD},
    {"keyboard-interactive", CURLSSH_AUTH_KEYBOARD},
  };
  unsigned i, bits = 0;
  for(i = 0; i < sizeof ways / sizeof *ways; i++)
    if(mote_list_has_token(mote_slice_of(list), ways[i].name))
      bits |= ways[i].bits;
  return bits;
}

CURLcode mote_ssh_methods(struct mote_transfer *t, struct mote_talk *talk)
{
  struct mote_ssh *s = (struct mote_ssh *)talk;
  const char *list;
  struct word user;
  CURLcode rc = ssh_auth_user_of(t, &user);
  if(rc)
    return rc;
  mote_ssh_enter(s);
  list = libssh2_userauth_list(s->session, user.text, (unsigned)user.len);
  if(!list && libssh2_userauth_authenticated(s->session))
    return accepted(t, s, "name alone");
  if(!list)
    return mote_ssh_judge(t, s, libssh2_session_last_errno(s->session), CURLE_SSH,
                          "The server does not say how the user may log in");
  mote_info(&t->report, "The server lets users log in by %s", list);
  s->methods = (uint8_t)methods_in(list);
  s->methods &= (uint8_t)mote_opt_long(&t->options, CURLOPT_SSH_AUTH_TYPES);
  return CURLE_OK;
}

/* Without CURLOPT_SSH_PRIVATE_KEYFILE the first of these that exists is used. */
static const char *key_file(const struct mote_transfer *t, char *room)
{
  static const char *const names[] = {"%s/.ssh/id_rsa", "%s/.ssh/id_dsa"};
  const char *given = mote_opt_str(&t->options, CURLOPT_SSH_PRIVATE_KEYFILE);
  const char *home = mote_port_getenv("HOME");
  struct mote_file_info info;
  unsigned i;
  if(given && *given)
    return given;
  for(i = 0; home && i < sizeof names / sizeof *names; i++)
    if(mote_snprintf(room, PATH_MOST, names[i], home) < (int)PATH_MOST && !mote_port_path_info(room, &info))
      return room;
  if(!mote_port_path_info("id_rsa", &info))
    return "id_rsa";
  return mote_port_path_info("id_dsa", &info) ? NULL : "id_dsa";
}

CURLcode mote_ssh_key(struct mote_transfer *t, struct mote_talk *talk)
{
  struct mote_ssh *s = (struct mote_ssh *)talk;
  const char *public_key = mote_opt_str(&t->options, CURLOPT_SSH_PUBLIC_KEYFILE);
  const char *passphrase = mote_opt_str(&t->options, CURLOPT_KEYPASSWD), *file;
  char room[PATH_MOST];
  struct word user;
  int result;
  CURLcode rc;
  if(!(s->methods & CURLSSH_AUTH_PUBLICKEY))
    return CURLE_OK;
  file = key_file(t, room);
  if(!file)
    return CURLE_OK;
  rc = ssh_auth_user_of(t, &user);
  if(rc)
    return rc;
  mote_ssh_enter(s);
  s->memory.bare = libssh2_version(0x010b00) != NULL;
  result = libssh2_userauth_publickey_fromfile_ex(s->session, user.text, (unsigned)user.len,
                                                  public_key && *public_key ? public_key : NULL, file,
                                                  passphrase ? passphrase : "");
  s->memory.bare = false;
  return result ? next_way(t, s, result, "public key") : accepted(t, s, "public key");
}

static CURLcode ssh_auth_login_of(struct mote_transfer *t, struct word *user, struct word *password)
{
  CURLcode rc = ssh_auth_user_of(t, user);
  return rc ? rc : password_of(t, password);
}

CURLcode mote_ssh_password(struct mote_transfer *t, struct mote_talk *talk)
{
  struct mote_ssh *s = (struct mote_ssh *)talk;
  struct word user, password;
  CURLcode rc;
  int result;
  if(!(s->methods & CURLSSH_AUTH_PASSWORD))
    return CURLE_OK;
  rc = ssh_auth_login_of(t, &user, &password);
  if(rc)
    return rc;
  mote_ssh_enter(s);
  result = libssh2_userauth_password_ex(s->session, user.text, (unsigned)user.len, password.text,
                                        (unsigned)password.len, NULL);
  return result ? next_way(t, s, result, "password") : accepted(t, s, "password");
}

CURLcode mote_ssh_agent(struct mote_transfer *t, struct mote_talk *talk)
{
  struct mote_ssh *s = (struct mote_ssh *)talk;
  struct word user;
  CURLcode rc;
  if(!(s->methods & CURLSSH_AUTH_AGENT))
    return CURLE_OK;
  rc = ssh_auth_user_of(t, &user);
  if(rc)
    return rc;
  mote_ssh_enter(s);
  rc = mote_ssh_agent_login(t, s, (struct mote_slice){user.text, user.len});
  if(rc == CURLE_AGAIN)
    return rc;
  mote_ssh_agent_close(s);
  if(!rc)
    return accepted(t, s, "agent");
  if(rc == CURLE_OUT_OF_MEMORY)
    return rc;
  return next_way(t, s, LIBSSH2_ERROR_AGENT_PROTOCOL, "agent");
}

/* A single prompt is taken for that of the password. */
static LIBSSH2_USERAUTH_KBDINT_RESPONSE_FUNC(ssh_auth_answer)
{
  struct mote_ssh *s = *abstract;
  const struct word *password = s->answer;
  (void)name;
  (void)name_len;
  (void)instruction;
  (void)instruction_len;
  (void)prompts;
  if(num_prompts != 1)
    return;
  responses[0].text = mote_ssh_memory_take(&s->memory, password->len + 1);
  if(!responses[0].text)
    return;
  memcpy(responses[0].text, password->text, password->len);
  responses[0].length = (unsigned)password->len;
}

CURLcode mote_ssh_keyboard(struct mote_transfer *t, struct mote_talk *talk)
{
  struct mote_ssh *s = (struct mote_ssh *)talk;
  struct word user, password;
  CURLcode rc;
  int result;
  if(!(s->methods & CURLSSH_AUTH_KEYBOARD))
    return CURLE_OK;
  rc = ssh_auth_login_of(t, &user, &password);
  if(rc)
    return rc;
  s->answer = &password;
  mote_ssh_enter(s);
  result = libssh2_userauth_keyboard_interactive_ex(s->session, user.text, (unsigned)user.len,
                                                    ssh_auth_answer);
  s->answer = NULL;
  return result ? next_way(t, s, result, "keyboard-interactive")
                : accepted(t, s, "keyboard-interactive");
}

CURLcode mote_ssh_denied(struct mote_transfer *t, struct mote_talk *talk)
{
  (void)talk;
  return mote_fail_as(CURLE_LOGIN_DENIED, &t->report,
                      "The server accepts no login: neither key nor password of the user");
}
