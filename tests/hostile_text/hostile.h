/* tests/hostile_text/hostile.h: texts of options that would be several lines, and servers that see what came.
 *
 * main.c gives each option that takes a text (curl_easy_option_next(3)) each text of texts.c, in each way of
 * ways.c to speak a protocol. The servers run in a thread of the same program (server.c), answer whatever a
 * client may ask (talks.c, packets.c), and judge what came: no line, command or field may begin with what an
 * option has after a line end. */
#ifndef HOSTILE_H
#define HOSTILE_H

#include <curl/curl.h>
#include <openssl/ssl.h>
#include <stdbool.h>
#include <stddef.h>

/* What texts have after a line end, and nothing else has. */
#define HOSTILE_MARK "ZQX"

/* ---- servers ---- */

struct peer;
struct nghttp2_session;

/* How a server speaks. */
struct talk {
  const char *name;
  const char *greeting;         /* sent first, or NULL */
  void (*take)(struct peer *p); /* more has come */
  enum { FRAMES, HEADS, COMMANDS } lines; /* an empty line is nothing, the end of a head, or wrong */
  bool tls;
  bool datagrams;
  const char *alpn;             /* with tls: the one that is chosen, or NULL */
};

extern const struct talk talks[];
extern const size_t talk_count;

struct peer {
  const struct talk *talk;
  int fd;
  SSL *ssl;
  struct nghttp2_session *h2;
  char *in;                     /* all that came */
  size_t len, cap;
  size_t used;                  /* bytes that were answered */
  int stage;                    /* the talk's own */
  const char *wrong;            /* what is wrong with it, or NULL */
  struct peer *next;
};

void peer_send(struct peer *p, const void *bytes, size_t len);
void peer_say(struct peer *p, const char *text);
/* No more will be sent. */
void peer_end(struct peer *p);
/* Takes the next line without its end; false: none is complete. */
bool peer_line(struct peer *p, char **line, size_t *len);
/* Gives the connection for data that was made last what a file has, and ends it. */
void server_send_data(const char *text);
/* The port that FTP's replies name. */
int server_data_port(void);

/* packets.c */
void take_h2(struct peer *p);
void take_mqtt(struct peer *p);
void take_ldap(struct peer *p);
void take_tftp(struct peer *p);
/* Returns false until a client of SOCKS 5 is connected. */
bool take_socks(struct peer *p);

/* Starts a thread with a server for each talk; false: it could not. */
bool server_start(void);
void server_stop(void);
int server_port(const char *talk);
/* Waits until the servers have read what clients have sent, closes all connections, and returns what was
 * wrong, or NULL. raw: the client may have lines of the application (HTTP/1). shown: room for what came. */
const char *server_judge(bool raw, char *shown, size_t size);

/* ---- cases ---- */

/* A way to speak a protocol. In `url` and `options`, %d is the port. */
struct way {
  const char *name;
  const char *talk;
  const char *url;
  const char *options; /* NAME=VALUE, separated by blanks */
  bool lines;          /* HTTP/1, whose application writes lines by some options */
};

extern const struct way ways[];
extern const size_t way_count;

/* What an option needs so that its text counts. */
struct place {
  const char *name;    /* the option's, or "URL" and a word */
  const char *before;  /* the text's beginning */
  const char *after;   /* its end */
  const char *options; /* others that it goes with, as in struct way */
  bool raw;            /* HTTP/1 sends the text as it is, as documented */
};

/* Returns the row of the option, or that of any option. */
const struct place *place_of(const char *option);
extern const struct place url_places[];
extern const size_t url_place_count;

/* What a text has that no line has. */
enum text_kind { TEXT_LINE_END, TEXT_CONTROL, TEXT_BYTE, TEXT_LONG };

struct text {
  char *ptr;           /* the caller frees it */
  enum text_kind kind;
};

/* How many texts there are; the first ones are tried in every run. */
size_t text_count(void);
size_t text_always(void);
struct text text_at(size_t i);
extern const char *const text_kinds[];

#endif
