/* protocol/ftp/ftp.h: FTP (RFC 959, 1123, 2389, 2428, 3659), whose files and listings come over a second
 * connection (connect/data/data.h).
 *
 * The stages (protocol/conversation.h) are in the order of an exchange. One that this transfer does not need
 * passes the turn on when it is asked. ftp.c has their table, the start and the end of an exchange,
 * ftp_prepare.c what precedes them, ftp_login.c the greeting, ftp_tls.c TLS, ftp_path.c directories, names
 * and quoted commands, ftp_file.c what is asked about a file before it moves, and ftp_data.c the data
 * connection.
 *
 * Invariants: `data` is NULL outside an exchange.
 * Ownership:  the connection owns the state, and the block of its paths (ftp_path.c); the exchange owns the
 *             data connection.
 * Errors:     CURLE_FTP_*, CURLE_REMOTE_*, CURLE_LOGIN_DENIED, CURLE_QUOTE_ERROR and others, as
 *             libcurl-errors(3) says.
 * Tests:      tests/e2e/test_ftp.py, tests/unit/protocol/test_ftp_waits.c */
#ifndef MOTE_PROTOCOL_FTP_FTP_H
#define MOTE_PROTOCOL_FTP_FTP_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "port/addr.h"
#include "protocol/conversation.h"

struct mote_conn;
struct mote_out;
struct mote_transfer;

#define MOTE_FTP_LINE_MOST 65536u /* bytes of a reply's line; paths are shorter */

enum mote_ftp_stage {
  /* the greeting */
  MOTE_FTP_BANNER,
  MOTE_FTP_AUTH,
  MOTE_FTP_SECURE,   /* TLS on the control connection */
  MOTE_FTP_USER,
  MOTE_FTP_PASS,
  MOTE_FTP_ACCT,
  MOTE_FTP_ALTERNATIVE, /* CURLOPT_FTP_ALTERNATIVE_TO_USER */
  MOTE_FTP_PBSZ,
  MOTE_FTP_PROT,
  MOTE_FTP_CCC,
  MOTE_FTP_CLEAR,    /* the end of TLS on the control connection */
  MOTE_FTP_PWD,
  MOTE_FTP_SYST,     /* the entry path is no path of Unix */
  MOTE_FTP_NAMEFMT,  /* OS/400 */
  MOTE_FTP_GREETED,
  /* an exchange */
  MOTE_FTP_QUOTE,
  MOTE_FTP_DIRS,     /* the way to the directory begins */
  MOTE_FTP_CWD,
  MOTE_FTP_MKD,      /* then CWD again */
  MOTE_FTP_MDTM,
  MOTE_FTP_PRET,     /* from here on the data connection is made */
  MOTE_FTP_EPSV,
  MOTE_FTP_PASV,
  MOTE_FTP_OPEN,     /* the data connection is made */
  MOTE_FTP_LISTEN,   /* the server makes it */
  MOTE_FTP_EPRT,
  MOTE_FTP_PORT,
  MOTE_FTP_TYPE,
  MOTE_FTP_PREQUOTE,
  MOTE_FTP_SIZE,
  MOTE_FTP_PART,     /* which part of the file moves */
  MOTE_FTP_REST,
  MOTE_FTP_MOVE,     /* RETR, STOR, APPE, LIST, NLST */
  MOTE_FTP_READY,    /* the data connection is accepted, and has TLS */
  MOTE_FTP_RECEIVE,
  MOTE_FTP_SEND,
  MOTE_FTP_FINISH,   /* the end of what was sent */
  MOTE_FTP_LAST,     /* the reply after the data */
  MOTE_FTP_FACT,     /* a line about the file is delivered */
  MOTE_FTP_ABOR,     /* no more of the file is wanted */
  MOTE_FTP_POSTQUOTE,
  MOTE_FTP_OVER
};

struct mote_ftp_list;
struct mote_ftp_paths;

/* The state of a connection. */
struct mote_ftp {
  struct mote_talk talk;
  struct mote_ftp_paths *paths; /* entry path and working directory, or NULL: neither is known */
  uint16_t open;                /* code of a reply whose last line is still to come, 0: none is */
  char type;                    /* of the last TYPE that was accepted, 'A' or 'I'; 0: none */
  bool used : 1;                /* it has had an exchange */
  bool no_epsv : 1;             /* the server does not know EPSV */
  bool lost : 1;                /* the working directory is unknown */
  bool renamed : 1;             /* SITE NAMEFMT was sent */
  bool no_eprt : 1;             /* the server does not know EPRT */
  bool private : 1;             /* data connections have TLS */
  bool auth_again : 1;          /* the second kind of AUTH is tried */
  bool logged_in : 1;           /* by the banner (230), before AUTH */
  bool substituted : 1;         /* CURLOPT_FTP_ALTERNATIVE_TO_USER was sent */

  /* from here on of one exchange, zero at its start */
  uint16_t last;                /* code of the reply after the data, 0: not yet */
  uint8_t fact;                 /* enum mote_document_fact: a line that the application has yet to get */
  bool has_fact;                /* there is one */
  uint8_t after_fact;           /* the stage that follows it */
  uint8_t quoted;               /* the stage of quoted commands that was begun last */
  char wanted;                  /* TYPE of this exchange, 'A' or 'I' */
  bool listing : 1;             /* a directory is listed */
  bool names : 1;               /* by NLST */
  bool upload : 1;
  bool head : 1;                /* only facts about the file are asked for (CURLOPT_NOBODY) */
  bool cut : 1;                 /* the range ends before the end of the file */
  bool doubtful : 1;            /* replies may still come: nothing but the goodbye follows */
  bool entry : 1;               /* the next CWD goes to the entry path */
  bool made : 1;                /* MKD was tried for this directory */
  bool by_epsv : 1;             /* the port is that of 229 */
  bool may_fail : 1;            /* the quoted command begins with '*' */
  bool cr : 1;                  /* the last byte of a text was a CR, and was delivered as LF */
  bool broken : 1;              /* the data connection failed before all of the file was sent */
  bool strayed : 1;             /* a command of the application has changed the directory */
  struct mote_conn *data;       /* or NULL */
  struct mote_ftp_list *list;   /* files of a pattern (protocol/ftp/ftp_list.h), or NULL */
  struct mote_slice path;       /* the URL's, without its first slash and its type, and in a list without the
                                   name of a file; borrowed from the run */
  const struct curl_slist *quote; /* the command that is sent next; the application owns the list */
  curl_off_t from;              /* bytes of the file to skip, 0 and more */
  curl_off_t left;              /* bytes still to come, -1: until the end of the data connection */
  curl_off_t size;              /* bytes of the remote file, -1: unknown */
  int64_t time;                 /* of the remote file, seconds since 1970 */
  const char *name;             /* of a file of the list, which owns it; NULL: the URL names the file */
  uint32_t dirs;                /* bytes of the path that lead to the directory, with the last slash; the rest
                                   is the name in a command: all of it without CWD */
  uint32_t at;                  /* where the next directory begins there */
  struct mote_addr named;       /* where the server is to connect to, in active mode */
};

#define MOTE_FTP_STATE_SIZE ((sizeof(struct mote_ftp) + 7) & ~(size_t)7)

/* ---- ftp_prepare.c, for the row ---- */

CURLcode mote_ftp_prepare(struct mote_transfer *t);
/* Writes the credentials into the connection's key, and the options of TLS if USE_SSL is set. */
void mote_ftp_identity(struct mote_transfer *t, struct mote_out *out);

/* ---- ftp_login.c ---- */
mote_talk_ask mote_ftp_send_login, mote_ftp_send_alternative, mote_ftp_send_acct;
mote_talk_take mote_ftp_take_banner, mote_ftp_take_login, mote_ftp_take_acct, mote_ftp_take_pwd,
  mote_ftp_take_syst, mote_ftp_take_namefmt;

/* ---- ftp_tls.c ---- */
mote_talk_ask mote_ftp_send_auth, mote_ftp_send_pbsz, mote_ftp_send_prot,
  mote_ftp_send_ccc, mote_ftp_end_tls;
mote_talk_take mote_ftp_take_auth, mote_ftp_take_prot, mote_ftp_take_ccc;

/* ---- ftp_path.c ---- */

struct mote_ftp *mote_ftp_of(const struct mote_transfer *t);

/* As mote_talk_refused(), when the server waits for the next command. */
CURLcode mote_ftp_refused(struct mote_transfer *t, struct mote_talk *talk, CURLcode rc,
                          const struct mote_reply *r);

mote_talk_ask mote_ftp_begin_dirs, mote_ftp_send_cwd, mote_ftp_send_mkd, mote_ftp_send_quote;
mote_talk_take mote_ftp_take_cwd, mote_ftp_take_mkd, mote_ftp_take_quote;

/* Reads the URL's path: directories, file, type. CURLE_URL_MALFORMAT: it has an encoded control. */
CURLcode mote_ftp_path_begin(struct mote_transfer *t, struct mote_ftp *f);
/* Sends "verb name" for the file or the list. */
CURLcode mote_ftp_send_name(struct mote_transfer *t, struct mote_ftp *f, const char *verb);
/* Stores the entry path of a reply to PWD. *unix_path: it begins with a slash. CURLE_OUT_OF_MEMORY. */
CURLcode mote_ftp_enter(struct mote_transfer *t, struct mote_ftp *f, const struct mote_reply *r,
                        bool *unix_path);
/* Reports whether the next exchange could not begin where the first one did: the directory was changed, and
 * the entry path is unknown. */
bool mote_ftp_is_astray(const struct mote_ftp *f);
/* Stores the entry path for CURLINFO_FTP_ENTRY_PATH. CURLE_OUT_OF_MEMORY. */
CURLcode mote_ftp_report_entry(struct mote_transfer *t, const struct mote_ftp *f);
/* Frees the block of the paths (net/driver.h). */
void mote_ftp_discard(struct mote_conn *c);

/* ---- ftp_file.c ---- */
mote_talk_ask mote_ftp_send_mdtm, mote_ftp_send_type, mote_ftp_send_size, mote_ftp_choose_part,
  mote_ftp_send_rest, mote_ftp_deliver_fact;
mote_talk_take mote_ftp_take_mdtm, mote_ftp_take_type, mote_ftp_take_size, mote_ftp_take_rest;

/* Reads the size from the reply to RETR, "(N bytes)", when the server does not know SIZE. */
void mote_ftp_read_size(const struct mote_transfer *t, struct mote_ftp *f, struct mote_slice text);

/* ---- ftp_data.c ---- */
mote_talk_ask mote_ftp_send_pret, mote_ftp_send_epsv, mote_ftp_open_data,
  mote_ftp_listen, mote_ftp_send_eprt, mote_ftp_send_port, mote_ftp_send_move, mote_ftp_make_ready,
  mote_ftp_receive_file, mote_ftp_send_file, mote_ftp_finish_file, mote_ftp_await_last;
mote_talk_take mote_ftp_take_pret, mote_ftp_take_epsv, mote_ftp_take_pasv, mote_ftp_take_port,
  mote_ftp_take_move, mote_ftp_take_last;

#endif
