/* tests/hostile_text/talks.c: servers of protocols in lines (hostile.h). */
#include "hostile.h"

#include <openssl/sha.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- HTTP and RTSP ---- */

#define OK_HI "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"

static const char *find(const char *text, size_t len, const char *what)
{
  size_t n = strlen(what), i;
  for(i = 0; n <= len && i <= len - n; i++)
    if(!strncasecmp(text + i, what, n))
      return text + i;
  return NULL;
}

static void answer_upgrade(struct peer *p, const char *key)
{
  static const char guid[] = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
  unsigned char digest[SHA_DIGEST_LENGTH], accept[40];
  char text[128], answer[256];
  size_t len = strspn(key, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=");
  len = (size_t)snprintf(text, sizeof text, "%.*s%s", (int)(len < 60 ? len : 60), key, guid);
  (void)SHA1((const unsigned char *)text, len, digest);
  (void)EVP_EncodeBlock(accept, digest, sizeof digest);
  (void)snprintf(answer, sizeof answer,
                 "HTTP/1.1 101 Go\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                 "Sec-WebSocket-Accept: %s\r\n\r\n",
                 (char *)accept);
  peer_say(p, answer);
  peer_send(p, "\x88\x02\x03\xe8", 4);
  peer_end(p);
  p->stage = 100;
}

static void answer_rtsp(struct peer *p, const char *head, size_t len)
{
  const char *cseq = find(head, len, "\ncseq: ");
  char answer[100];
  (void)snprintf(answer, sizeof answer, "RTSP/1.0 200 OK\r\nCSeq: %d\r\nSession: 1\r\n\r\n",
                 cseq ? atoi(cseq + 7) : 0);
  peer_say(p, answer);
}

static void answer_head(struct peer *p, const char *head, size_t len)
{
  const char *key = find(head, len, "\nsec-websocket-key: ");
  if(!strcmp(p->talk->name, "rtsp"))
    answer_rtsp(p, head, len);
  else if(len > 8 && !memcmp(head, "CONNECT ", 8))
    peer_say(p, "HTTP/1.1 200 OK\r\n\r\n");
  else if(key)
    answer_upgrade(p, key + 20);
  else if(!strcmp(p->talk->name, "digest") && !find(head, len, "\nauthorization:"))
    peer_say(p, "HTTP/1.1 401 No\r\nWWW-Authenticate: Digest realm=\"r\", nonce=\"n\"\r\n"
                "Content-Length: 0\r\n\r\n");
  else
    peer_say(p, OK_HI);
}

/* The body of a POST is "hi". */
static void take_http(struct peer *p)
{
  while(p->stage < 100 && p->used < p->len) {
    const char *head = p->in + p->used, *end = find(head, p->len - p->used, "\r\n\r\n");
    size_t len, body;
    if(!end)
      return;
    len = (size_t)(end - head) + 4;
    body = find(head, len, "\ncontent-length: 2\r") && !find(head, len, "\nupgrade:") ? 2 : 0;
    if(p->len - p->used < len + body)
      return;
    answer_head(p, head, len);
    p->used += len + body;
  }
}

static void take_by_socks(struct peer *p)
{
  if(take_socks(p))
    take_http(p);
}

/* ---- a reply for each command ---- */

struct reply {
  const char *command;
  const char *text;
};

static const char *reply_to(const struct reply *r, const char *line, size_t len)
{
  while(r->command && (len < strlen(r->command) || strncasecmp(line, r->command, strlen(r->command))))
    r++;
  return r->text;
}

static void take_ftp(struct peer *p)
{
  static const struct reply replies[] = {
    {"USER", "331 x\r\n"}, {"PASS", "230 x\r\n"}, {"ACCT", "230 x\r\n"}, {"PWD", "257 \"/\"\r\n"},
    {"EPSV", ""}, {"EPRT", "500 x\r\n"}, {"PORT", "500 x\r\n"}, {"SIZE", "213 2\r\n"},
    {"MDTM", "213 20200101000000\r\n"}, {"REST", "350 x\r\n"}, {"CWD", "250 x\r\n"}, {"MKD", "257 x\r\n"},
    {"QUIT", "221 x\r\n"}, {"RNFR", "350 x\r\n"}, {"RETR", "150 x\r\n226 x\r\n"},
    {"LIST", "150 x\r\n226 x\r\n"}, {"NLST", "150 x\r\n226 x\r\n"}, {"STOR", "150 x\r\n226 x\r\n"},
    {"APPE", "150 x\r\n226 x\r\n"}, {"GET", "150 x\r\n226 x\r\n"}, {NULL, "200 x\r\n"},
  };
  size_t len;
  char *line;
  while(peer_line(p, &line, &len)) {
    const char *text = reply_to(replies, line, len);
    char passive[60];
    if(!*text) {
      (void)snprintf(passive, sizeof passive, "229 x (|||%d|)\r\n", server_data_port());
      text = passive;
    }
    else if(!memcmp(text, "150", 3))
      server_send_data("hi");
    else if(!strcmp(p->talk->name, "ftp account") && !memcmp(line, "PASS", 4))
      text = "332 x\r\n";
    peer_say(p, text);
  }
}

static void take_imap(struct peer *p)
{
  static const struct reply replies[] = {
    {"CAPABILITY", "* CAPABILITY IMAP4rev1\r\n"}, {"LIST", "* LIST () \"/\" a\r\n"}, {"LOGOUT", "* BYE\r\n"},
    {"UID FETCH", "* 1 FETCH (UID 1 BODY[] {2}\r\nhi)\r\n"}, {"FETCH", "* 1 FETCH (BODY[] {2}\r\nhi)\r\n"},
    {"SEARCH", "* SEARCH 1\r\n"}, {NULL, ""},
  };
  size_t len;
  char *line;
  while(peer_line(p, &line, &len)) {
    const char *blank = memchr(line, ' ', len);
    size_t tag = blank ? (size_t)(blank - line) : len;
    char answer[200];
    (void)snprintf(answer, sizeof answer, "%s%.*s OK x\r\n",
                   blank ? reply_to(replies, blank + 1, len - tag - 1) : "",
                   (int)(tag < 80 ? tag : 80), line);
    peer_say(p, answer);
  }
}

static void take_pop3(struct peer *p)
{
  static const struct reply replies[] = {
    {"CAPA", "+OK\r\nUSER\r\n.\r\n"}, {"USER", "+OK\r\n"}, {"PASS", "+OK\r\n"}, {"QUIT", "+OK\r\n"},
    {"AUTH", "-ERR\r\n"}, {NULL, "+OK\r\nhi\r\n.\r\n"},
  };
  size_t len;
  char *line;
  while(peer_line(p, &line, &len))
    peer_say(p, reply_to(replies, line, len));
}

static void take_smtp(struct peer *p)
{
  static const struct reply replies[] = {
    {"EHLO", "250-x\r\n250 AUTH PLAIN\r\n"}, {"MAIL", "250 x\r\n"}, {"RCPT", "250 x\r\n"},
    {"DATA", "354 x\r\n"}, {"QUIT", "221 x\r\n"}, {"AUTH", "334 \r\n"}, {NULL, "250 x\r\n"},
  };
  bool login = false;
  size_t len;
  char *line;
  while(peer_line(p, &line, &len)) {
    if(p->stage == 1 && !(len == 1 && *line == '.'))
      continue;
    login = p->stage == 2;
    p->stage = 0;
    if(len == 4 && !strncasecmp(line, "DATA", 4))
      p->stage = 1;
    else if(len == 10 && !strncasecmp(line, "AUTH PLAIN", 10))
      p->stage = 2;
    peer_say(p, login ? "235 x\r\n" : reply_to(replies, line, len));
  }
}

static void take_dict(struct peer *p)
{
  size_t len;
  char *line;
  while(peer_line(p, &line, &len))
    if(len == 4 && !memcmp(line, "QUIT", 4)) {
      peer_say(p, "220 x\r\n250 x\r\n");
      peer_end(p);
    }
}

static void take_gopher(struct peer *p)
{
  size_t len;
  char *line;
  if(peer_line(p, &line, &len)) {
    peer_say(p, "hi");
    peer_end(p);
  }
}

/* ---- all ---- */

#define WANTS "\xff\xfd\x18\xff\xfd\x23\xff\xfd\x27"
#define SENDS "\xff\xfa\x18\x01\xff\xf0\xff\xfa\x23\x01\xff\xf0\xff\xfa\x27\x01\xff\xf0"

static void take_telnet(struct peer *p)
{
  if(p->used)
    return;
  p->used = p->len;
  peer_say(p, "hi");
  peer_end(p);
}

const struct talk talks[] = {
  {.name = "http", .take = take_http, .lines = HEADS},
  {.name = "digest", .take = take_http, .lines = HEADS},
  {.name = "h2", .take = take_h2},
  {.name = "https", .take = take_http, .tls = true, .alpn = "http/1.1", .lines = HEADS},
  {.name = "https2", .take = take_h2, .tls = true, .alpn = "h2"},
  {.name = "socks", .take = take_by_socks, .lines = HEADS},
  {.name = "ftp", .greeting = "220 x\r\n", .take = take_ftp, .lines = COMMANDS},
  {.name = "ftp account", .greeting = "220 x\r\n", .take = take_ftp, .lines = COMMANDS},
  {.name = "imap", .greeting = "* OK x\r\n", .take = take_imap, .lines = COMMANDS},
  {.name = "pop3", .greeting = "+OK x\r\n", .take = take_pop3, .lines = COMMANDS},
  {.name = "smtp", .greeting = "220 x\r\n", .take = take_smtp, .lines = COMMANDS},
  {.name = "rtsp", .take = take_http, .lines = HEADS},
  {.name = "mqtt", .take = take_mqtt},
  {.name = "telnet", .greeting = WANTS SENDS, .take = take_telnet},
  {.name = "dict", .take = take_dict, .lines = COMMANDS},
  {.name = "gopher", .take = take_gopher, .lines = COMMANDS},
  {.name = "tftp", .take = take_tftp, .datagrams = true},
  {.name = "ldap", .take = take_ldap},
};
const size_t talk_count = sizeof talks / sizeof *talks;
