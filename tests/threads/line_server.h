/* tests/threads/line_server.h: servers of FTP and IMAP in the test program, on the connections of the HTTP
 * server (net/http_server.h). Each file and message is HTTP_SERVER_BODY. Data connections have TLS where the
 * control connection has it. */
#ifndef MOTE_TEST_LINE_SERVER_H
#define MOTE_TEST_LINE_SERVER_H

#include "net/http_server.h"

/* Reads a line, without its end. False: the connection is over. */
static inline bool line_server_read(struct http_session *s, char *line, int size)
{
  int len = 0;
  while(len < size - 1 && http_session_read(s, line + len, 1) == 1)
    if(line[len++] == '\n') {
      line[len - (len > 1 ? 2 : 1)] = 0;
      return true;
    }
  return false;
}

/* ---- FTP ---- */

/* Answers EPSV; returns the listener. */
static inline int line_server_listen(struct http_session *s)
{
  uint16_t port = 0;
  int fd = fds_listen("127.0.0.1", &port, 1);
  char text[60];
  snprintf(text, sizeof text, "229 here (|||%u|)\r\n", (unsigned)port);
  (void)http_session_write(s, text);
  return fd;
}

/* Gives the file on the data connection. */
static inline void line_server_give(struct http_session *s, int listener)
{
  struct http_session data = {.server = s->server, .fd = accept(listener, NULL, NULL)};
  if(data.fd < 0)
    return;
  data.layer = s->layer ? s->server->layer_new(data.fd) : NULL;
  if(!s->layer || data.layer)
    (void)http_session_write(&data, HTTP_SERVER_BODY);
  if(data.layer)
    s->server->layer_free(data.layer);
  close(data.fd);
}

static inline void line_server_ftp(struct http_session *s)
{
  static const struct {
    const char *word;
    const char *answer;
  } known[] = {{"USER", "331 password"}, {"PASS", "230 in"}, {"PWD", "257 \"/\""}, {"SIZE", "213 12"},
               {"QUIT", "221 bye"}, {"", "200 ok"}};
  char line[200], text[200];
  int listener = -1, i;
  (void)http_session_write(s, "220 hi\r\n");
  while(line_server_read(s, line, sizeof line)) {
    if(!strncmp(line, "EPSV", 4))
      listener = line_server_listen(s);
    else if(!strncmp(line, "RETR", 4)) {
      (void)http_session_write(s, "150 here\r\n");
      line_server_give(s, listener);
      (void)http_session_write(s, "226 done\r\n");
      close(listener);
      listener = -1;
    }
    else {
      for(i = 0; strncmp(line, known[i].word, strlen(known[i].word)) != 0; i++)
        ;
      snprintf(text, sizeof text, "%s\r\n", known[i].answer);
      (void)http_session_write(s, text);
    }
  }
  if(listener >= 0)
    close(listener);
}

/* ---- IMAP ---- */

static inline void line_server_imap(struct http_session *s)
{
  char line[200], text[300];
  (void)http_session_write(s, "* OK hi\r\n");
  while(line_server_read(s, line, sizeof line)) {
    size_t tag = strcspn(line, " ");
    if(strstr(line, " FETCH ")) {
      snprintf(text, sizeof text, "* 1 FETCH (BODY[] {%zu}\r\n%s)\r\n", strlen(HTTP_SERVER_BODY),
               HTTP_SERVER_BODY);
      (void)http_session_write(s, text);
    }
    snprintf(text, sizeof text, "%.*s OK done\r\n", (int)tag, line);
    (void)http_session_write(s, text);
  }
}

#endif
