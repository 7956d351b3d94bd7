/* tests/unit/auth/sasl_peer.h: the server's side of a login, for the tests of SASL. */
#ifndef MOTE_SASL_PEER_H
#define MOTE_SASL_PEER_H

#include "auth/sasl/sasl.h"
#include "auth/scheme.h"
#include "base/buf.h"
#include "base/digest/base64.h"
#include "test.h"

static struct mote_auth_login auth;
static struct mote_sasl_login login;
static struct mote_sasl s;
static struct mote_buf out;

static inline void set_up(const char *offers)
{
  struct mote_slice word = {offers, 0};
  auth = (struct mote_auth_login){
    .user = mote_slice_of("user"), .password = mote_slice_of("secret"), .given = true, .ticket = true
  };
  login = (struct mote_sasl_login){
    .auth = &auth, .service = mote_slice_of("smtp"), .host = mote_slice_of("host"),
    .random = {"all of it is known", MOTE_SASL_RANDOM}, .port = 25
  };
  mote_sasl_init(&s, mote_mem_process());
  mote_buf_init(&out, mote_mem_process(), MOTE_PART_CONN, 100000);
  for(; *offers; offers += *offers == ' ') {
    for(word.ptr = offers; *offers && *offers != ' '; offers++)
      ;
    word.len = (size_t)(offers - word.ptr);
    mote_sasl_offer(&s, word);
  }
}

static inline void tear_down(void)
{
  mote_sasl_close(&s);
  mote_buf_close(&out);
}

static inline const char *sent(void)
{
  return out.ptr ? out.ptr : "";
}

/* Expects the command. */
static inline bool begins(const char *command)
{
  enum mote_sasl_verdict verdict = MOTE_SASL_DONE;
  CURLcode rc;
  mote_buf_clear(&out);
  rc = mote_sasl_begin(&s, &login, &out, &verdict);
  if(rc == CURLE_OUT_OF_MEMORY)
    return false;
  CHECK_INT(rc, CURLE_OK);
  CHECK_INT(verdict, *command ? MOTE_SASL_COMMAND : MOTE_SASL_NONE);
  CHECK_STR(sent(), command);
  return true;
}

/* Expects what follows a reply. */
static inline bool follows(enum mote_sasl_reply reply, struct mote_slice text, CURLcode code,
                    enum mote_sasl_verdict expected, const char *line)
{
  enum mote_sasl_verdict verdict = MOTE_SASL_NONE;
  CURLcode rc;
  mote_buf_clear(&out);
  rc = mote_sasl_next(&s, &login, reply, text, &out, &verdict);
  if(rc == CURLE_OUT_OF_MEMORY)
    return false;
  CHECK_INT(rc, code);
  if(!rc) {
    CHECK_INT(verdict, expected);
    CHECK_STR(sent(), line);
  }
  return true;
}

static inline bool asked(const char *text, const char *line)
{
  return follows(MOTE_SASL_CHALLENGE, mote_slice_of(text), CURLE_OK, MOTE_SASL_ANSWER, line);
}

static inline bool refused(enum mote_sasl_reply reply)
{
  return follows(reply, mote_slice_of(""), CURLE_LOGIN_DENIED, MOTE_SASL_NONE, "");
}

static inline bool accepted(void)
{
  return follows(MOTE_SASL_ACCEPTED, mote_slice_of(""), CURLE_OK, MOTE_SASL_DONE, "");
}

/* The same with challenge and answer before their base 64. */
static inline bool exchanged(const char *challenge, const char *answer)
{
  char text[4000], line[400];
  (void)mote_base64_encode(text, challenge, strlen(challenge));
  (void)mote_base64_encode(line, answer, strlen(answer));
  return asked(text, line);
}

static inline bool refused_challenge(const char *challenge)
{
  char text[4000];
  (void)mote_base64_encode(text, challenge, strlen(challenge));
  return follows(MOTE_SASL_CHALLENGE, mote_slice_of(text), CURLE_LOGIN_DENIED, MOTE_SASL_NONE, "");
}

/* It cannot be answered, and the next mechanism is tried. */
static inline bool cancelled(const char *challenge, const char *next)
{
  char text[4000];
  (void)mote_base64_encode(text, challenge, strlen(challenge));
  if(!asked(text, "*"))
    return false;
  return follows(MOTE_SASL_REJECTED, mote_slice_of(""), *next ? CURLE_OK : CURLE_LOGIN_DENIED,
                 MOTE_SASL_COMMAND, next);
}

#endif
