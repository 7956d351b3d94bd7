/* codec/socks/socks.c: a SOCKS handshake, message by message (codec/socks/socks.h). */
#include "codec/socks/socks.h"

#include <string.h>

enum step {
  STEP_START,
  STEP_ASK4,        /* to send: the request of SOCKS4 */
  STEP_ANSWER4,
  STEP_METHODS,     /* to send: the methods that the client has */
  STEP_METHOD,      /* the one that the proxy has chosen */
  STEP_LOGIN,       /* to send: user and password */
  STEP_WELCOME,     /* the answer to them */
  STEP_GSS,         /* the caller logs in */
  STEP_ASK5,        /* to send: the request of SOCKS5 */
  STEP_ANSWER5,     /* its first five bytes, which say how long it is */
  STEP_ADDRESS,     /* the rest of it, an address that is of no interest */
  STEP_DONE
};

enum method { METHOD_NONE = 0, METHOD_GSS = 1, METHOD_LOGIN = 2, METHOD_NO_OTHER = 0xff };
enum address_type { TYPE_IP4 = 1, TYPE_NAME = 3, TYPE_IP6 = 4 };
enum command { COMMAND_CONNECT = 1 };

#define ANSWER4 8u        /* bytes */
#define ANSWER4_GRANTED 90
#define ANSWER5_HEAD 5u   /* version, result, reserved, type, first byte of the address */
#define LOGIN_VERSION 1   /* of RFC 1929 */

CURLproxycode mote_socks_init(struct mote_socks *s, const struct mote_socks_request *r)
{
  memset(s, 0, sizeof *s);
  s->login = r->login;
  s->gss = r->gss;
  s->must_login = r->version == 5 && r->must_login;
  s->step = r->version == 4 ? STEP_ASK4 : STEP_METHODS;
  if(r->user.len > MOTE_SOCKS_MAX_TEXT)
    return CURLPX_LONG_USER;
  if(r->version == 5 && r->password.len > MOTE_SOCKS_MAX_TEXT)
    return CURLPX_LONG_PASSWD;
  if(r->address.family == MOTE_FAMILY_NONE && r->host.len > MOTE_SOCKS_MAX_TEXT)
    return CURLPX_LONG_HOSTNAME;
  if(r->version == 4 && r->address.family == MOTE_FAMILY_IP6)
    return CURLPX_BAD_ADDRESS_TYPE;
  return s->must_login && !s->login && !s->gss ? CURLPX_NO_AUTH : CURLPX_OK;
}

/* ---- messages ---- */

static uint8_t *codec_socks_put(uint8_t *to, const void *from, size_t len)
{
  if(len)
    memcpy(to, from, len);
  return to + len;
}

static uint8_t *codec_socks_put_port(uint8_t *to, uint16_t port)
{
  *to++ = (uint8_t)(port >> 8);
  *to++ = (uint8_t)port;
  return to;
}

static uint8_t *put_counted(uint8_t *to, struct mote_slice text)
{
  *to++ = (uint8_t)text.len;
  return codec_socks_put(to, text.ptr, text.len);
}

/* A NUL ends user and host. The address 0.0.0.1 says that a host follows (SOCKS4a). */
static uint8_t *put_request4(uint8_t *to, const struct mote_socks_request *r)
{
  static const uint8_t by_name[4] = {0, 0, 0, 1};
  bool named = r->address.family == MOTE_FAMILY_NONE;
  *to++ = 4;
  *to++ = COMMAND_CONNECT;
  to = codec_socks_put_port(to, r->port);
  to = codec_socks_put(to, named ? by_name : r->address.ip, 4);
  to = codec_socks_put(to, r->user.ptr, r->user.len);
  *to++ = 0;
  if(named) {
    to = codec_socks_put(to, r->host.ptr, r->host.len);
    *to++ = 0;
  }
  return to;
}

static uint8_t *put_methods(uint8_t *to, const struct mote_socks_request *r)
{
  *to++ = 5;
  *to++ = (uint8_t)(!r->must_login + r->gss + r->login);
  if(!r->must_login)
    *to++ = METHOD_NONE;
  if(r->gss)
    *to++ = METHOD_GSS;
  if(r->login)
    *to++ = METHOD_LOGIN;
  return to;
}

static uint8_t *codec_socks_put_login(uint8_t *to, const struct mote_socks_request *r)
{
  *to++ = LOGIN_VERSION;
  to = put_counted(to, r->user);
  return put_counted(to, r->password);
}

static uint8_t *put_request5(uint8_t *to, const struct mote_socks_request *r)
{
  *to++ = 5;
  *to++ = COMMAND_CONNECT;
  *to++ = 0;
  if(r->address.family == MOTE_FAMILY_IP4) {
    *to++ = TYPE_IP4;
    to = codec_socks_put(to, r->address.ip, 4);
  }
  else if(r->address.family == MOTE_FAMILY_IP6) {
    *to++ = TYPE_IP6;
    to = codec_socks_put(to, r->address.ip, 16);
  }
  else {
    *to++ = TYPE_NAME;
    to = put_counted(to, r->host);
  }
  return codec_socks_put_port(to, r->port);
}

size_t mote_socks_message(const struct mote_socks *s, const struct mote_socks_request *r,
                          uint8_t out[MOTE_SOCKS_MAX_MESSAGE])
{
  switch(s->step) {
  case STEP_ASK4:
    return (size_t)(put_request4(out, r) - out);
  case STEP_METHODS:
    return (size_t)(put_methods(out, r) - out);
  case STEP_LOGIN:
    return (size_t)(codec_socks_put_login(out, r) - out);
  case STEP_ASK5:
    return (size_t)(put_request5(out, r) - out);
  default:
    return 0;
  }
}

void mote_socks_sent(struct mote_socks *s)
{
  s->step++; /* each message has its answer next */
  s->have = 0;
}

/* ---- answers ---- */

size_t mote_socks_missing(const struct mote_socks *s)
{
  switch(s->step) {
  case STEP_ANSWER4:
    return ANSWER4 - s->have;
  case STEP_METHOD:
  case STEP_WELCOME:
    return 2u - s->have;
  case STEP_ANSWER5:
    return ANSWER5_HEAD - s->have;
  case STEP_ADDRESS:
    return s->rest;
  default:
    return 0;
  }
}

static CURLproxycode judge_answer4(struct mote_socks *s)
{
  if(s->answer[0])
    return CURLPX_BAD_VERSION;
  s->step = STEP_DONE;
  switch(s->answer[1]) {
  case ANSWER4_GRANTED:
    return CURLPX_OK;
  case 91:
    return CURLPX_REQUEST_FAILED;
  case 92:
    return CURLPX_IDENTD;
  case 93:
    return CURLPX_IDENTD_DIFFER;
  default:
    return CURLPX_UNKNOWN_FAIL;
  }
}

static CURLproxycode judge_method(struct mote_socks *s)
{
  if(s->answer[0] != 5)
    return CURLPX_BAD_VERSION;
  switch(s->answer[1]) {
  case METHOD_NONE:
    s->step = STEP_ASK5;
    return s->must_login ? CURLPX_NO_AUTH : CURLPX_OK;
  case METHOD_LOGIN:
    s->step = STEP_LOGIN;
    return s->login ? CURLPX_OK : CURLPX_UNKNOWN_MODE;
  case METHOD_GSS:
    s->step = STEP_GSS;
    return s->gss ? CURLPX_OK : CURLPX_UNKNOWN_MODE;
  case METHOD_NO_OTHER:
    return CURLPX_NO_AUTH;
  default:
    return CURLPX_UNKNOWN_MODE;
  }
}

/* Some proxies answer with their own version instead of that of RFC 1929, which says nothing else. */
static CURLproxycode judge_welcome(struct mote_socks *s)
{
  if(s->answer[1])
    return CURLPX_USER_REJECTED;
  s->step = STEP_ASK5;
  return CURLPX_OK;
}

static CURLproxycode refusal5(uint8_t result)
{
  static const uint8_t codes[] = {
    CURLPX_OK, CURLPX_REPLY_GENERAL_SERVER_FAILURE, CURLPX_REPLY_NOT_ALLOWED,
    CURLPX_REPLY_NETWORK_UNREACHABLE, CURLPX_REPLY_HOST_UNREACHABLE, CURLPX_REPLY_CONNECTION_REFUSED,
    CURLPX_REPLY_TTL_EXPIRED, CURLPX_REPLY_COMMAND_NOT_SUPPORTED, CURLPX_REPLY_ADDRESS_TYPE_NOT_SUPPORTED
  };
  return result < sizeof codes ? (CURLproxycode)codes[result] : CURLPX_REPLY_UNASSIGNED;
}

static CURLproxycode judge_answer5(struct mote_socks *s)
{
  if(s->answer[0] != 5)
    return CURLPX_BAD_VERSION;
  if(s->answer[1])
    return refusal5(s->answer[1]);
  s->step = STEP_ADDRESS;
  switch(s->answer[3]) { /* one byte of the address has come; its port has two */
  case TYPE_IP4:
    s->rest = 4 - 1 + 2;
    return CURLPX_OK;
  case TYPE_IP6:
    s->rest = 16 - 1 + 2;
    return CURLPX_OK;
  case TYPE_NAME: /* its length has come */
    s->rest = (uint16_t)(s->answer[4] + 2);
    return CURLPX_OK;
  default:
    return CURLPX_BAD_ADDRESS_TYPE;
  }
}

CURLproxycode mote_socks_feed(struct mote_socks *s, const uint8_t *bytes, size_t len)
{
  if(s->step == STEP_ADDRESS) {
    s->rest = (uint16_t)(s->rest - len);
    if(!s->rest)
      s->step = STEP_DONE;
    return CURLPX_OK;
  }
  memcpy(s->answer + s->have, bytes, len);
  s->have = (uint8_t)(s->have + len);
  if(mote_socks_missing(s))
    return CURLPX_OK;
  switch(s->step) {
  case STEP_ANSWER4:
    return judge_answer4(s);
  case STEP_METHOD:
    return judge_method(s);
  case STEP_WELCOME:
    return judge_welcome(s);
  default:
    return judge_answer5(s);
  }
}

bool mote_socks_wants_gss(const struct mote_socks *s)
{
  return s->step == STEP_GSS;
}

void mote_socks_gss_done(struct mote_socks *s)
{
  s->step = STEP_ASK5;
}

bool mote_socks_done(const struct mote_socks *s)
{
  return s->step == STEP_DONE;
}

/* ---- texts ---- */

const char *mote_socks_text(CURLproxycode code)
{
  static const struct mote_numbered texts[] = {
    {CURLPX_BAD_ADDRESS_TYPE, "the address is of a type that this version of SOCKS does not have"},
    {CURLPX_BAD_VERSION, "the answer is not of this version of SOCKS"},
    {CURLPX_GSSAPI, "the login by GSS-API failed"},
    {CURLPX_GSSAPI_PROTECTION, "the proxy asks for a protection of data that is not built in"},
    {CURLPX_IDENTD, "the proxy cannot reach identd on this machine"},
    {CURLPX_IDENTD_DIFFER, "identd on this machine knows the user by another name"},
    {CURLPX_LONG_HOSTNAME, "the host name is longer than 255 bytes"},
    {CURLPX_LONG_PASSWD, "the password is longer than 255 bytes"},
    {CURLPX_LONG_USER, "the user name is longer than 255 bytes"},
    {CURLPX_NO_AUTH, "client and proxy have no authentication method in common"},
    {CURLPX_RECV_CONNECT, "the proxy closed the connection"},
    {CURLPX_REPLY_ADDRESS_TYPE_NOT_SUPPORTED, "the proxy does not support this type of address"},
    {CURLPX_REPLY_COMMAND_NOT_SUPPORTED, "the proxy does not support the command"},
    {CURLPX_REPLY_CONNECTION_REFUSED, "the destination refused the connection"},
    {CURLPX_REPLY_GENERAL_SERVER_FAILURE, "the proxy failed"},
    {CURLPX_REPLY_HOST_UNREACHABLE, "the destination's host is unreachable"},
    {CURLPX_REPLY_NETWORK_UNREACHABLE, "the destination's network is unreachable"},
    {CURLPX_REPLY_NOT_ALLOWED, "the proxy's rules do not allow the connection"},
    {CURLPX_REPLY_TTL_EXPIRED, "the time to live of a packet expired"},
    {CURLPX_REQUEST_FAILED, "the proxy rejected the request or failed"},
    {CURLPX_SEND_CONNECT, "the proxy does not take the request"},
    {CURLPX_UNKNOWN_MODE, "the proxy chose an authentication method that was not offered"},
    {CURLPX_USER_REJECTED, "the proxy rejected user and password"},
  };
  return mote_numbered_text(texts, (int)code, "the proxy failed for a reason that it did not name");
}
