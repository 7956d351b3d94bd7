/* server_h1 PORT CHUNKS: answers as million.h says, by HTTP/1.1 on plain sockets. A request comes in one
 * piece, and responses are so short that a socket takes them whole. */
#define _GNU_SOURCE
#include "server.h"

struct connection {
  struct connection *next;
  int s;
  unsigned long number;
  unsigned long sent; /* chunks; 0: it has not asked */
};

static struct connection *all;

static void accepted(int s)
{
  struct connection *c = calloc(1, sizeof *c);
  if(!c)
    server_fail("calloc");
  c->s = s;
  c->next = all;
  all = c;
  server_watch(EPOLL_CTL_ADD, s, EPOLLIN, c);
}

static void send_chunks(struct connection *c, const char *head)
{
  char out[256], chunk[CHUNK + 1];
  int n = snprintf(out, sizeof out, "%s", head);
  million_chunk(chunk, c->number);
  memcpy(out + n, chunk, CHUNK);
  if(send(c->s, out, (size_t)n + CHUNK, MSG_NOSIGNAL) != n + CHUNK)
    server_fail("send");
  c->sent++;
}

static void ready(void *user, unsigned events)
{
  struct connection *c = user;
  char in[1024], head[128];
  ssize_t n = recv(c->s, in, sizeof in - 1, 0);
  (void)events;
  if(n <= 0) { /* it stays in the list, with nothing to send */
    close(c->s);
    c->s = -1;
    c->sent = chunks;
    return;
  }
  in[n] = 0;
  if(sscanf(in, "GET /%lu ", &c->number) != 1 || !strstr(in, "\r\n\r\n"))
    server_fail("a request in one piece was expected");
  snprintf(head, sizeof head, "HTTP/1.1 200 OK\r\nContent-Length: %lu\r\n\r\n", chunks * CHUNK);
  c->sent = 0;
  send_chunks(c, head);
}

static void go_round(void)
{
  struct connection *c;
  for(c = all; c; c = c->next)
    if(c->sent && c->sent < released)
      send_chunks(c, "");
}

int main(int argc, char **argv)
{
  chunks = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
  if(chunks < 2)
    return 2;
  server_run(atoi(argv[1]), accepted, ready, go_round);
}
