/* plan.h: what one transfer asks for and what its server answers: what the client's side (transfer.c) and
 * the servers (http1_server.c) know of each other.
 *
 * Every body is a piece of one endless pattern, which begins elsewhere for each transfer and direction. So
 * both sides know each byte without having kept it. */
#ifndef PLAN_H
#define PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum method {
  METHOD_GET,
  METHOD_HEAD,
  METHOD_PUT,   /* of `upload` bytes, whose number the client gives */
  METHOD_POST   /* of `upload` bytes in chunks */
};

enum framing {
  FRAMING_LENGTH,
  FRAMING_CHUNKS,
  FRAMING_END   /* the end of the connection is that of the body */
};

/* What the server makes of "Expect: 100-continue". */
enum expect {
  EXPECT_CONTINUES,
  EXPECT_SILENT,  /* it waits for the body, and sends no 100 */
  EXPECT_REFUSED, /* 417, and the end of the connection */
  EXPECTS
};

/* What is wrong with the answer. `wrong_at`: after so many bytes of the body, or of the head. */
enum wrong {
  WRONG_NOTHING,
  WRONG_CUT,        /* the connection ends in the body */
  WRONG_RESET,      /* it breaks there */
  WRONG_STALL,      /* nothing comes any more */
  WRONG_CHUNK,      /* a chunk's length is no number */
  WRONG_EXTRA,      /* bytes come after the answer; the answer is whole */
  WRONG_NO_ANSWER,  /* the connection ends in place of an answer */
  WRONG_HEAD_CUT,   /* it ends in the head */
  WRONG_HEAD_TEXT,  /* the answer is no HTTP */
  WRONG_HEAD_FLOOD, /* the head does not end */
  WRONG_KINDS
};

/* How the client logs in. Each of its secrets has MARK in it and the number of the host that it is for. */
enum login {
  LOGIN_NONE,
  LOGIN_BASIC,
  LOGIN_BEARER,
  LOGIN_FIELD,  /* a field "Authorization" of the application's own */
  LOGIN_ASKED,  /* Basic, after the server has answered 401 */
  LOGINS
};
#define MARK "SECRET-"

enum proxy_kind {
  PROXY_NONE,
  PROXY_HTTP,
  PROXY_CONNECT,
  PROXY_SOCKS4,
  PROXY_SOCKS4A,
  PROXY_SOCKS5,
  PROXY_SOCKS5_NAME,
  PROXIES
};

#define HOSTS 3
extern const char *const host_names[HOSTS];

struct plan {
  unsigned host;        /* of the first hop */
  enum method method;
  size_t upload;
  enum login login;
  enum proxy_kind proxy;
  bool proxy_login;
  bool cookies;         /* the client has a cookie engine, and each answer sets one */
  enum expect expect;
  int status;
  unsigned redirects;   /* answers in front of that one, each to the next hop */
  bool crosses;         /* each hop is on the host after that of the last one */
  unsigned interims;    /* answers 103 in front of each */
  enum framing framing;
  bool early;           /* the answer comes ahead of the upload, which is read after it */
  bool old;             /* the server speaks HTTP/1.0 */
  bool closes;          /* the server ends the connection after the answer */
  size_t length;        /* of the answer's body */
  enum wrong wrong;
  size_t wrong_at;
  unsigned thinks_us;   /* before the answer */

  /* what the server has seen and done: */
  unsigned requests;
  size_t received;      /* bytes of an upload, the most of any request */
  size_t sent;          /* bytes of the body, the most of any answer */
};

#define PLANS 16
extern struct plan plans[PLANS];

/* The pattern of transfer `number`: `len` bytes at most PATTERN_RUN, from byte `at` on. */
#define PATTERN_RUN 4096u
void pattern_init(void);
const unsigned char *pattern(unsigned number, bool upload, size_t at);

#endif
