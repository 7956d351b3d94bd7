/* Fuzz target of src/protocol: whole sessions of FTP, IMAP, POP3 and SMTP through the public interface, on sockets
 * of this process. Whatever the server says, and however it is cut, a transfer ends when the server has gone, and
 * no answer of it gets a line into a command.
 *
 * Input: byte 0 has the protocol (bits 0 and 1) and what is asked for (OPTIONS below); byte 1 has the bytes that
 * the server sends at once, 0: a line after each turn of the client. What the server says follows, and, for FTP,
 * after a byte 0xff, what comes over each data connection.
 *
 * clang -fsanitize=fuzzer,address,undefined -Iinclude fuzz/fuzz_session.c libmote.a … */
#include <curl/curl.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <sys/socket.h>
#include <unistd.h>

#include "fuzz.h"

enum { FTP, IMAP, POP3, SMTP };

#define PEERS 16
#define TURNS_AFTER_END 400

/* OPTIONS, bits of the first byte */
#define UPLOAD 4u  /* STOR, APPEND, a mail */
#define OTHER 8u   /* a listing or another command */
#define LOGIN 16u  /* a user, who has a password */
#define FORM 32u   /* the upload is a form; FTP: the name is a pattern */
#define HEAD 64u   /* CURLOPT_NOBODY, and FTP's commands of the application */
#define TWICE 128u /* two transfers */

struct session {
  const char *bytes; /* of the server */
  size_t len;
  const char *data;  /* of each data connection */
  size_t data_len;
  size_t piece;      /* bytes at once, 0: a line */
  int fds[PEERS];    /* the server's ends, -1: closed */
  bool control[PEERS];
  int peers;
  bool lines;        /* the client may send whole lines alone */
  char last;         /* byte that it sent on the control connection */
};

/* ---- the server ---- */

static void shut(struct session *s, int i)
{
  if(s->fds[i] >= 0)
    close(s->fds[i]);
  s->fds[i] = -1;
}

static curl_socket_t open_socket(void *user, curlsocktype purpose, struct curl_sockaddr *address)
{
  const struct sockaddr_in *to = (const struct sockaddr_in *)(const void *)&address->addr;
  struct session *s = user;
  int pair[2];
  (void)purpose;
  if(s->peers == PEERS || socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair))
    return CURL_SOCKET_BAD;
  s->control[s->peers] = address->family == AF_INET && ntohs(to->sin_port) == 2121;
  s->fds[s->peers] = pair[1];
  if(!s->control[s->peers]) {
    (void)!send(pair[1], s->data, s->data_len, MSG_NOSIGNAL);
    shutdown(pair[1], SHUT_WR);
  }
  s->peers++;
  return pair[0];
}

static int is_connected(void *user, curl_socket_t fd, curlsocktype purpose)
{
  (void)user;
  (void)fd;
  (void)purpose;
  return CURL_SOCKOPT_ALREADY_CONNECTED;
}

/* Commands are whole lines: a LF has a CR before it, and a CR or NUL is nowhere else. */
static void check_line(struct session *s, const char *bytes, size_t len)
{
  size_t i;
  for(i = 0; i < len; i++) {
    must(bytes[i] != 0);
    must((s->last == '\r') == (bytes[i] == '\n'));
    s->last = bytes[i];
  }
}

/* Reads what the client has sent. */
static void hear(struct session *s)
{
  char room[4096];
  int i;
  for(i = 0; i < s->peers; i++) {
    ssize_t n = 1;
    while(s->fds[i] >= 0 && n > 0) {
      n = recv(s->fds[i], room, sizeof room, 0);
      if(n > 0 && s->control[i] && s->lines)
        check_line(s, room, (size_t)n);
      if(!n)
        shut(s, i);
    }
  }
}

/* Says the next piece on the last control connection. Returns false when there is none. */
static bool say(struct session *s)
{
  const char *end = s->len ? memchr(s->bytes, '\n', s->len) : NULL;
  size_t n = s->piece ? s->piece : end ? (size_t)(end - s->bytes) + 1 : s->len;
  int i = s->peers - 1;
  while(i >= 0 && !(s->control[i] && s->fds[i] >= 0))
    i--;
  if(i < 0 || !s->len)
    return false;
  n = n < s->len ? n : s->len;
  (void)!send(s->fds[i], s->bytes, n, MSG_NOSIGNAL);
  s->bytes += n;
  s->len -= n;
  return true;
}

static void leave(struct session *s)
{
  int i;
  for(i = 0; i < s->peers; i++)
    if(s->fds[i] >= 0)
      shutdown(s->fds[i], SHUT_WR);
}

/* ---- the client ---- */

static size_t take(char *bytes, size_t size, size_t n, void *user)
{
  (void)user;
  if(size * n)
    memset(bytes, 'x', size * n); /* the application may write into what it gets */
  return size * n;
}

static size_t give(char *room, size_t size, size_t n, void *user)
{
  static const char mail[] = "Subject: x\r\n\r\n.text\n..\r\n";
  size_t *at = user, len = sizeof mail - 1 - *at;
  len = len < size * n ? len : size * n;
  memcpy(room, mail + *at, len);
  *at += len;
  return len;
}

static const char *url_of(unsigned protocol, unsigned what)
{
  static const char *const urls[4][3] = {
    [FTP] = {"ftp://127.0.0.1:2121/a/b%20c", "ftp://127.0.0.1:2121/a//b/", "ftp://127.0.0.1:2121/a/*.[a-z]?t"},
    [IMAP] = {"imap://127.0.0.1:2121/box;UIDVALIDITY=5;UID=7;SECTION=TEXT", "imap://127.0.0.1:2121/box?ALL",
              "imap://127.0.0.1:2121/"},
    [POP3] = {"pop3://127.0.0.1:2121/1", "pop3://127.0.0.1:2121/", "pop3://127.0.0.1:2121/2"},
    [SMTP] = {"smtp://127.0.0.1:2121/host", "smtp://127.0.0.1:2121/", "smtp://127.0.0.1:2121/"},
  };
  return urls[protocol][what & OTHER ? 1 : what & FORM ? 2 : 0];
}

static void set(CURL *e, struct session *s, unsigned protocol, unsigned what, struct curl_slist *words,
                size_t *sent)
{
  curl_easy_setopt(e, CURLOPT_URL, url_of(protocol, what));
  curl_easy_setopt(e, CURLOPT_PROXY, "");
  curl_easy_setopt(e, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(e, CURLOPT_OPENSOCKETFUNCTION, open_socket);
  curl_easy_setopt(e, CURLOPT_OPENSOCKETDATA, s);
  curl_easy_setopt(e, CURLOPT_SOCKOPTFUNCTION, is_connected);
  curl_easy_setopt(e, CURLOPT_WRITEFUNCTION, take);
  curl_easy_setopt(e, CURLOPT_HEADERFUNCTION, take);
  curl_easy_setopt(e, CURLOPT_READFUNCTION, give);
  curl_easy_setopt(e, CURLOPT_READDATA, sent);
  curl_easy_setopt(e, CURLOPT_MAIL_RCPT, words);
  curl_easy_setopt(e, CURLOPT_QUOTE, what & HEAD ? words : NULL);
  curl_easy_setopt(e, CURLOPT_POSTQUOTE, what & HEAD ? words : NULL);
  curl_easy_setopt(e, CURLOPT_MAIL_FROM, "<a@b>");
  curl_easy_setopt(e, CURLOPT_WILDCARDMATCH, what & FORM ? 1L : 0L);
  curl_easy_setopt(e, CURLOPT_FILETIME, what & HEAD ? 1L : 0L);
  curl_easy_setopt(e, CURLOPT_FTP_CREATE_MISSING_DIRS, what & HEAD ? 1L : 0L);
  curl_easy_setopt(e, CURLOPT_NOBODY, what & HEAD ? 1L : 0L);
  curl_easy_setopt(e, CURLOPT_SASL_IR, what & HEAD ? 1L : 0L);
  if(what & LOGIN) {
    curl_easy_setopt(e, CURLOPT_USERNAME, "user");
    curl_easy_setopt(e, CURLOPT_PASSWORD, "secret");
  }
  if(what & UPLOAD) {
    curl_easy_setopt(e, CURLOPT_UPLOAD, 1L);
    curl_easy_setopt(e, CURLOPT_INFILESIZE, 24L);
  }
}

static curl_mime *make_form(CURL *e)
{
  curl_mime *form = curl_mime_init(e);
  curl_mimepart *part = curl_mime_addpart(form);
  curl_mime_data(part, ".text\r\n", CURL_ZERO_TERMINATED);
  curl_mime_encoder(part, "quoted-printable");
  curl_easy_setopt(e, CURLOPT_MIMEPOST, form);
  return form;
}

/* The server goes when it has no more to say, after which the transfer must end. */
static void transfer(CURLM *m, CURL *e, struct session *s)
{
  int running = 1, turns = 0;
  must(curl_multi_add_handle(m, e) == CURLM_OK);
  while(running) {
    must(curl_multi_perform(m, &running) == CURLM_OK);
    hear(s);
    if(!running || say(s))
      continue;
    leave(s);
    must(turns++ < TURNS_AFTER_END);
  }
  must(curl_multi_remove_handle(m, e) == CURLM_OK);
}

static void run(struct session *s, unsigned protocol, unsigned what)
{
  struct curl_slist *words = curl_slist_append(curl_slist_append(NULL, "<c@d>"), "*NOOP");
  CURLM *m = curl_multi_init();
  CURL *e = curl_easy_init();
  curl_mime *form = NULL;
  size_t sent = 0;
  set(e, s, protocol, what, words, &sent);
  if(protocol != FTP && what & UPLOAD && what & FORM)
    form = make_form(e);
  s->lines = protocol == FTP || !(what & UPLOAD);
  transfer(m, e, s);
  if(what & TWICE) {
    sent = 0;
    transfer(m, e, s);
  }
  curl_easy_cleanup(e);
  leave(s);
  curl_multi_cleanup(m);
  curl_mime_free(form);
  curl_slist_free_all(words);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct session s = {.peers = 0};
  const uint8_t *mark;
  int i;
  if(size < 2)
    return 0;
  mark = data[0] % 4 == FTP ? memchr(data + 2, 0xff, size - 2) : NULL;
  s.piece = data[1];
  s.bytes = (const char *)data + 2;
  s.len = mark ? (size_t)(mark - data) - 2 : size - 2;
  s.data = mark ? (const char *)mark + 1 : "";
  s.data_len = mark ? size - (size_t)(mark - data) - 1 : 0;
  run(&s, data[0] % 4, data[0]);
  for(i = 0; i < s.peers; i++)
    shut(&s, i);
  return 0;
}
