/* auth/sasl/sasl.h: the client's side of SASL (RFC 4422), by which mail servers let a user in. Mechanisms are
 * const rows that their parts add (ROWS in cmake/parts.cmake).
 *
 * A login is a conversation that the protocol carries in its own lines:
 *   mote_sasl_init(), mote_sasl_http_auth(), mote_sasl_options() with CURLOPT_LOGIN_OPTIONS,
 *   mote_sasl_offer() for each mechanism that the server lists, then mote_sasl_begin(), and mote_sasl_next()
 *   with each reply. Both say what is sent:
 *     MOTE_SASL_COMMAND  "AUTH <out>", or "<tag> AUTHENTICATE <out>": the name of a mechanism, maybe with an
 *                        initial response
 *     MOTE_SASL_ANSWER   "<out>", which may be an empty line
 *     MOTE_SASL_DONE     nothing, the user is in
 *     MOTE_SASL_NONE     nothing: no mechanism is offered, allowed and enough for what the user has
 * A challenge that cannot be answered is cancelled with "*", and the next mechanism follows. A server that
 * refuses credentials is not given any others.
 *
 * Ownership: the struct is the caller's, in a block that exists during a login; slices are only read during a
 *            call. mote_sasl_close() frees what a mechanism keeps, at any time.
 * Errors:    CURLE_LOGIN_DENIED (67): the server refuses, speaks out of turn, or cannot prove that it knows
 *            the password where a mechanism has it do so. CURLE_AUTH_ERROR (94): GSS-API has no credentials.
 *            CURLE_URL_MALFORMAT (3), or CURLE_BAD_FUNCTION_ARGUMENT (43) where no URL had it: a control
 *            character in a credential, which would end a field. CURLE_OUT_OF_MEMORY. What is wrong is in the
 *            report where it is more than a refusal.
 * Threads:   a login is used by one thread at a time.
 * Tests:     tests/unit/auth/test_sasl.c, test_scram.c; fuzz/fuzz_sasl.c */
#ifndef MOTE_AUTH_SASL_SASL_H
#define MOTE_AUTH_SASL_SASL_H

#include <curl/curl.h>

#include "base/text.h"

struct mote_account;
struct mote_auth_login;
struct mote_buf;
struct mote_report;

/* Most characters of a challenge's base 64, as RFC 4954 section 4 has them; longer ones are cancelled. */
#define MOTE_SASL_CHALLENGE_MAX 12288u
/* Random bytes that a nonce of ours is made of. */
#define MOTE_SASL_RANDOM 18u

/* In the order in which they are preferred. */
enum mote_sasl_bit {
  MOTE_SASL_EXTERNAL = 1 << 0,
  MOTE_SASL_GSSAPI = 1 << 1,
  MOTE_SASL_SCRAM_SHA_256 = 1 << 2,
  MOTE_SASL_SCRAM_SHA_1 = 1 << 3,
  MOTE_SASL_DIGEST_MD5 = 1 << 4,
  MOTE_SASL_CRAM_MD5 = 1 << 5,
  MOTE_SASL_OAUTHBEARER = 1 << 6,
  MOTE_SASL_XOAUTH2 = 1 << 7,
  MOTE_SASL_PLAIN = 1 << 8,
  MOTE_SASL_LOGIN = 1 << 9,
  MOTE_SASL_NTLM = 1 << 10, /* a name that CURLOPT_LOGIN_OPTIONS may have; no build has the mechanism */
  /* What is allowed where CURLOPT_LOGIN_OPTIONS names none. EXTERNAL must be asked for. */
  MOTE_SASL_DEFAULT = (1 << 11) - 1 - MOTE_SASL_EXTERNAL
};

/* What the user has, and who gets it. */
struct mote_sasl_login {
  const struct mote_auth_login *auth; /* user, password, token (CURLOPT_XOAUTH2_BEARER) */
  struct mote_slice authzid;          /* CURLOPT_SASL_AUTHZID; empty: none */
  struct mote_slice service;          /* "imap", "pop", "smtp", or CURLOPT_SERVICE_NAME */
  struct mote_slice host;             /* the server's, as the URL has it */
  struct mote_slice random;           /* MOTE_SASL_RANDOM random bytes, new with each login and the same in
                                         all calls of one */
  struct mote_report *report;         /* gets why a login fails */
  uint16_t port;                      /* the server's */
  uint16_t initial_most;              /* most bytes of a mechanism's name and its initial response together,
                                         which is sent later if it is longer; 0: no limit */
  bool initial;                       /* the command may have an initial response */
};

enum mote_sasl_verdict {
  MOTE_SASL_NONE,
  MOTE_SASL_COMMAND,
  MOTE_SASL_ANSWER,
  MOTE_SASL_DONE
};

/* What the server said to the last command or answer. */
enum mote_sasl_reply {
  MOTE_SASL_CHALLENGE, /* 334 of SMTP, "+" of IMAP and POP3 */
  MOTE_SASL_ACCEPTED,  /* 235; OK; +OK */
  MOTE_SASL_REJECTED   /* anything else */
};

/* What may come after a message. */
enum mote_sasl_then {
  MOTE_SASL_MORE,   /* a challenge alone: the mechanism is not at its end */
  MOTE_SASL_EITHER, /* the login, or a challenge */
  MOTE_SASL_END,    /* the login alone */
  MOTE_SASL_CANCEL  /* the challenge cannot be answered, and there is no message */
};

/* One step of a mechanism. */
struct mote_sasl_round {
  const struct mote_sasl_login *login;
  struct mote_account *account;
  struct mote_slice user, password; /* as they are meant, without control characters */
  struct mote_slice challenge;      /* decoded; empty in round 0 of a mechanism that speaks first */
  struct mote_buf *out;             /* gets the message, before its base 64 */
  void *state;                      /* the mechanism's, zero before its first step; NULL where it has none */
  uint8_t number;                   /* steps before this one. 0 comes twice where the first message was too
                                       long to be sent with the command */
  uint8_t then;                     /* out: enum mote_sasl_then; MOTE_SASL_END unless a step sets it */
};

struct mote_sasl_mechanism {
  const char *name;    /* as a server lists it */
  uint16_t bit;        /* enum mote_sasl_bit */
  uint16_t state_size; /* bytes; 0: it has no state */
  bool first : 1;      /* the client speaks first, so that it has an initial response */
  bool authzid : 1;    /* it carries CURLOPT_SASL_AUTHZID */
  bool deaf : 1;       /* it does not look at challenges, which need not be base 64 then */
  /* Reports whether the login is enough for it. NULL: any is, since a user may have an empty password. */
  bool (*fits)(const struct mote_sasl_login *login);
  CURLcode (*step)(struct mote_sasl_round *r);
  /* Frees what the state owns, not the state. NULL: it owns nothing. */
  void (*close)(void *state);
};

/* The mechanisms of this build; NULL ends them. */
extern const struct mote_sasl_mechanism *const mote_sasl_mechanisms[];

struct mote_sasl {
  struct mote_account *account;                /* pays; borrowed */
  const struct mote_sasl_mechanism *mechanism; /* in use, or NULL */
  void *state;                                 /* its own, or NULL */
  uint16_t offered;                            /* enum mote_sasl_bit, without what was cancelled */
  uint16_t allowed;                            /* likewise */
  uint8_t rounds;                              /* steps that were made */
  uint8_t then;                                /* enum mote_sasl_then: what may come next */
  bool named;                                  /* the application chooses mechanisms, and only they are
                                                  allowed: no other way to log in is */
  bool own;                                    /* it names the protocol's own way last */
};

/* Begins with nothing offered and MOTE_SASL_DEFAULT allowed. */
void mote_sasl_init(struct mote_sasl *s, struct mote_account *account);
/* Frees what the mechanism keeps. The struct may be closed twice, and one that is all zero as well. */
void mote_sasl_close(struct mote_sasl *s);

/* Takes CURLOPT_HTTPAUTH, which chooses among the mechanisms as well when it is not its default. The
 * protocol's own way, which may send the password in clear, is not allowed then. What is said by
 * mote_sasl_options() counts more. */
void mote_sasl_http_auth(struct mote_sasl *s, unsigned long schemes);

/* Takes "AUTH=<mechanism>;AUTH=…", where "*" is what is allowed by default (CURLOPT_LOGIN_OPTIONS(3)). own:
 * another word that the protocol knows ("+LOGIN" of IMAP, "+APOP" of POP3), or NULL.
 * CURLE_URL_MALFORMAT: anything else. */
CURLcode mote_sasl_options(struct mote_sasl *s, struct mote_slice options, const char *own);

/* Takes a mechanism's name, in any case, out of the server's list. Unknown ones are passed over. */
void mote_sasl_offer(struct mote_sasl *s, struct mote_slice name);

/* Reports whether there is anything to log in with: a login, or EXTERNAL was asked for. */
bool mote_sasl_is_wanted(const struct mote_sasl *s, const struct mote_auth_login *login);

/* Chooses a mechanism and appends what is sent to `out`. */
CURLcode mote_sasl_begin(struct mote_sasl *s, const struct mote_sasl_login *login, struct mote_buf *out,
                         enum mote_sasl_verdict *verdict);
/* Takes a reply; text: of a challenge, as it came after the code or "+". Appends what is sent to `out`. */
CURLcode mote_sasl_next(struct mote_sasl *s, const struct mote_sasl_login *login, enum mote_sasl_reply reply,
                        struct mote_slice text, struct mote_buf *out, enum mote_sasl_verdict *verdict);

/* For mechanisms: appends a saslname (RFC 5801 section 4). */
CURLcode mote_sasl_put_name(struct mote_buf *out, struct mote_slice name);

#endif
