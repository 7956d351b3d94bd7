/* tests/tools/static_get.c: fetches a page from a static block; malloc and its kin are this program's and
 * end it; so is getaddrinfo(), which prints the name that it was asked for and knows none.
 *
 * usage: static_get URL SIZE [CA [copy]]    CA: a file, PEM or DER; copy: the library is to copy it
 * Prints "code NUMBER bytes NUMBER peak NUMBER used NUMBER missing NUMBER". */
#include <fcntl.h>
#include <mote/mote.h>
#include <netdb.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static _Alignas(8) char block[200000];
static char ca[20000];

static void refuse(void)
{
  static const char text[] = "malloc was called\n";
  (void)!write(2, text, sizeof text - 1);
  _exit(99);
}

void *malloc(size_t size)
{
  (void)size;
  refuse();
  return NULL;
}

void *calloc(size_t count, size_t size)
{
  (void)count;
  (void)size;
  refuse();
  return NULL;
}

void *realloc(void *p, size_t size)
{
  (void)p;
  (void)size;
  refuse();
  return NULL;
}

void free(void *p)
{
  if(p)
    refuse();
}

int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints, struct addrinfo **out)
{
  (void)service;
  (void)hints;
  (void)out;
  (void)!write(2, name, strlen(name));
  return EAI_NONAME;
}

static size_t count(char *p, size_t size, size_t n, void *to)
{
  (void)p;
  *(size_t *)to += size * n;
  return size * n;
}

static CURLcode trust(CURL *c, const char *path, bool copy)
{
  struct curl_blob blob = {ca, 0, copy ? CURL_BLOB_COPY : CURL_BLOB_NOCOPY};
  int fd = open(path, O_RDONLY);
  ssize_t n = fd < 0 ? -1 : read(fd, ca, sizeof ca);
  if(n < 0)
    return CURLE_READ_ERROR;
  close(fd);
  blob.len = (size_t)n;
  return curl_easy_setopt(c, CURLOPT_CAINFO_BLOB, &blob);
}

static CURLcode get(char **arg, size_t *got)
{
  CURL *c = curl_easy_init();
  CURLcode rc;
  if(!c)
    return CURLE_OUT_OF_MEMORY;
  rc = curl_easy_setopt(c, CURLOPT_URL, arg[1]);
  rc = rc ? rc : curl_easy_setopt(c, CURLOPT_WRITEFUNCTION, count);
  rc = rc ? rc : curl_easy_setopt(c, CURLOPT_WRITEDATA, got);
  rc = rc ? rc : curl_easy_setopt(c, CURLOPT_FOLLOWLOCATION, 1L);
  rc = rc ? rc : curl_easy_setopt(c, CURLOPT_BUFFERSIZE, 1024L);
  if(!rc && arg[3])
    rc = trust(c, arg[3], arg[4] != NULL);
  rc = rc ? rc : curl_easy_perform(c);
  curl_easy_cleanup(c);
  return rc;
}

int main(int argc, char **arg)
{
  struct mote_static_info i;
  char text[200];
  size_t got = 0;
  CURLcode rc;
  if(argc < 3 || mote_init_static(block, (size_t)atoi(arg[2])))
    return 2;
  rc = get(arg, &got);
  if(mote_static_info(&i))
    return 2;
  curl_global_cleanup();
  snprintf(text, sizeof text, "code %d bytes %zu peak %zu used %zu missing %zu\n", (int)rc, got, i.peak,
           i.used, i.missing);
  (void)!write(1, text, strlen(text));
  return mote_static_info(&i) == CURLE_FAILED_INIT ? 0 : 3;
}
