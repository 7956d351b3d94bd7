/* bench/way.c: which functions run on the way of a URL and on that of a body byte (tools/shape.py, which says
 * what these ways are).
 *
 * The library is built with -finstrument-functions, so that each of its functions reports when it begins and
 * when it ends. The calls send() and recv() of the library end up here, before the C library's.
 *
 * usage: way URL     prints "url ADDRESS" and "body ADDRESS" lines; addresses count from where the library
 *                    begins */
#define _GNU_SOURCE
#include <curl/curl.h>
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#define FUNCTIONS 4096
#define DEPTH 256

enum { WAY_NONE, WAY_URL, WAY_BODY, WAYS };

static void *marked[WAYS][FUNCTIONS]; /* hash tables by address */
static void *running[DEPTH];          /* functions of the library that have begun, the innermost last */
static int depth;
static int way;                       /* what is being followed now */
static bool in_body;                  /* the response's head has been read */
static _Thread_local bool is_main;

/* This file has no reports of its own. */
#define SILENT __attribute__((no_instrument_function))

void __cyg_profile_func_enter(void *function, void *caller) SILENT;
void __cyg_profile_func_exit(void *function, void *caller) SILENT;

static SILENT void mark(void *function)
{
  size_t at = ((uintptr_t)function >> 4) % FUNCTIONS;
  while(marked[way][at] && marked[way][at] != function)
    at = (at + 1) % FUNCTIONS;
  marked[way][at] = function;
}

/* All that have begun: the bytes go back through some of them, and the others have brought them here. */
static SILENT void mark_running(void)
{
  int i;
  for(i = 0; i < depth && i < DEPTH; i++)
    mark(running[i]);
}

void __cyg_profile_func_enter(void *function, void *caller)
{
  (void)caller;
  if(!is_main)
    return;
  if(depth < DEPTH)
    running[depth] = function;
  depth++;
  if(way)
    mark(function);
}

/* A function that has ended has run, and its caller runs on. */
void __cyg_profile_func_exit(void *function, void *caller)
{
  (void)caller;
  if(!is_main)
    return;
  depth--;
  if(way) {
    mark(function);
    if(depth > 0 && depth <= DEPTH)
      mark(running[depth - 1]);
  }
}

/* ---- the ends of both ways ---- */

typedef ssize_t send_fn(int, const void *, size_t, int);
typedef ssize_t recv_fn(int, void *, size_t, int);

/* The way of a URL ends with the last byte of the request, which the head of a GET ends. */
SILENT ssize_t send(int fd, const void *bytes, size_t size, int flags)
{
  send_fn *real = (send_fn *)(intptr_t)dlsym(RTLD_NEXT, "send");
  ssize_t sent = real(fd, bytes, size, flags);
  if(way == WAY_URL && sent >= 4 && !memcmp((const char *)bytes + sent - 4, "\r\n\r\n", 4))
    way = WAY_NONE;
  return sent;
}

/* Head and body are never delivered together: the way of a body byte begins where only the body is read. */
SILENT ssize_t recv(int fd, void *room, size_t size, int flags)
{
  recv_fn *real = (recv_fn *)(intptr_t)dlsym(RTLD_NEXT, "recv");
  ssize_t got;
  if(!in_body) {
    got = real(fd, room, size, flags | MSG_PEEK);
    if(got > 0) {
      const char *end = memmem(room, (size_t)got, "\r\n\r\n", 4);
      size = end ? (size_t)(end - (const char *)room) + 4 : (size_t)got;
      in_body = end != NULL;
      got = real(fd, room, size, flags);
    }
    return got;
  }
  got = real(fd, room, size, flags);
  if(got > 0) {
    way = WAY_BODY;
    mark_running();
  }
  return got;
}

static size_t received(char *bytes, size_t size, size_t count, void *data)
{
  (void)bytes;
  (void)data;
  way = WAY_NONE;
  return size * count;
}

static void print(const char *name, int which, char *base)
{
  int i;
  for(i = 0; i < FUNCTIONS; i++)
    if(marked[which][i])
      printf("%s %#tx\n", name, (char *)marked[which][i] - base);
}

int main(int argc, char **argv)
{
  CURL *c;
  CURLcode rc;
  Dl_info library;
  if(argc != 2 || curl_global_init(CURL_GLOBAL_ALL) || !(c = curl_easy_init()))
    return 2;
  curl_easy_setopt(c, CURLOPT_WRITEFUNCTION, received);
  is_main = true;
  way = WAY_URL;
  curl_easy_setopt(c, CURLOPT_URL, argv[1]);
  rc = curl_easy_perform(c);
  way = WAY_NONE;
  is_main = false;
  if(rc || !dladdr((void *)(intptr_t)curl_easy_perform, &library))
    return 1;
  print("url", WAY_URL, library.dli_fbase);
  print("body", WAY_BODY, library.dli_fbase);
  curl_easy_cleanup(c);
  curl_global_cleanup();
  return 0;
}
