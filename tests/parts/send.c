/* send: requests with bodies on one handle, two arguments each: WHAT URL. Prints CURLcode, status and what
 * came back.
 *   post, copy   "a=1&b=2" by CURLOPT_POSTFIELDS, CURLOPT_COPYPOSTFIELDS; json: with a Content-Type
 *   put, read    100,000 bytes of a callback by CURLOPT_UPLOAD, CURLOPT_POST; back: with CURLOPT_SEEKFUNCTION
 *   long         30,000 bytes of memory; none: POST without a length; short: fewer than were promised
 *   abort        the callback ends it; get: CURLOPT_HTTPGET; bare: an Accept of one's own, no Content-Type
 *   grown, cut   copy, with a CURLOPT_POSTFIELDSIZE after it
 *   secret       GET with an Authorization, a Cookie and a Host of one's own; chunked: POST with a
 *                Transfer-Encoding; own: POST with fields that replace the library's, and an empty one */
#include <curl/curl.h>
#include <mote/mote.h>
#include <stdio.h>
#include <string.h>

#define BODY 100000

static size_t given, limit, got;
static char answer[512];
static char memory[30001];

static size_t on_read(char *p, size_t size, size_t n, void *arg)
{
  size_t len = size * n < limit - given ? size * n : limit - given;
  if(arg)
    return CURL_READFUNC_ABORT;
  len = len > 700 ? 700 : len;
  memset(p, 'u', len);
  given += len;
  return len;
}

static int on_seek(void *arg, curl_off_t offset, int origin)
{
  (void)arg;
  given = (size_t)offset;
  return origin != SEEK_SET;
}

static size_t on_body(char *p, size_t size, size_t n, void *arg)
{
  (void)arg;
  for(size_t i = 0; i < size * n && got < sizeof answer - 1; i++)
    answer[got++] = p[i];
  return size * n;
}

static const char *const sets[][6] = {
  {"json", "Content-Type: application/json"},
  {"bare", "Accept: text/plain", "Content-Type:"},
  {"secret", "Authorization: mine", "cookie : mine=1", "Host: own", "X: 1"},
  {"own", "Content-Length: 7", "User-Agent: own", "Host: own", "X-Empty;", "X-None:"},
  {"chunked", "Transfer-Encoding: chunked"},
  {"unchunked", "Transfer-Encoding:"},
};

/* What CURLOPT_HTTPHEADER gets. */
static struct curl_slist *fields_of(const char *what)
{
  struct curl_slist *list = NULL;
  for(size_t i = 0; i < sizeof sets / sizeof *sets; i++)
    for(int j = 1; j < 6 && sets[i][j] && !strcmp(sets[i][0], what); j++)
      list = curl_slist_append(list, sets[i][j]);
  return list;
}

static void set_body(CURL *curl, const char *what)
{
  char text[] = "a=1&b=2";
  limit = BODY;
  curl_easy_setopt(curl, CURLOPT_POSTFIELDS, NULL);
  curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE, -1L);
  curl_easy_setopt(curl, CURLOPT_READDATA, !strcmp(what, "abort") ? curl : NULL);
  curl_easy_setopt(curl, CURLOPT_SEEKFUNCTION, !strcmp(what, "back") ? on_seek : NULL);
  if(!strcmp(what, "get") || !strcmp(what, "secret"))
    curl_easy_setopt(curl, CURLOPT_HTTPGET, 1L);
  else if(!strcmp(what, "post") || !strcmp(what, "json") || !strcmp(what, "bare") ||
          !strcmp(what, "own") || !strcmp(what, "chunked") || !strcmp(what, "unchunked"))
    curl_easy_setopt(curl, CURLOPT_POSTFIELDS, "a=1&b=2");
  else if(!strcmp(what, "copy") || !strcmp(what, "grown") || !strcmp(what, "cut"))
    curl_easy_setopt(curl, CURLOPT_COPYPOSTFIELDS, text);
  else if(!strcmp(what, "long"))
    curl_easy_setopt(curl, CURLOPT_POSTFIELDS, memory);
  else if(!strcmp(what, "put") || !strcmp(what, "back") || !strcmp(what, "short")) {
    curl_easy_setopt(curl, CURLOPT_UPLOAD, 1L);
    curl_easy_setopt(curl, CURLOPT_INFILESIZE, (long)BODY);
    limit = !strcmp(what, "short") ? 1000 : BODY;
  }
  else {
    curl_easy_setopt(curl, CURLOPT_POST, 1L);
    if(strcmp(what, "none"))
      curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)BODY);
  }
  if(!strcmp(what, "grown") || !strcmp(what, "cut"))
    curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE, *what == 'c' ? 3L : 5000L);
  memset(text, 'x', sizeof text - 1); /* a copy does not change */
}

int main(int argc, char **argv)
{
  CURL *curl = curl_easy_init();
  int i;
  memset(memory, 'm', sizeof memory - 1);
  curl_easy_setopt(curl, CURLOPT_READFUNCTION, on_read);
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, on_body);
  curl_easy_setopt(curl, CURLOPT_USERAGENT, "send");
  curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 1L);
  for(i = 1; i + 1 < argc; i += 2) {
    struct curl_slist *fields = fields_of(argv[i]);
    long status = 0;
    CURLcode rc;
    given = got = 0;
    memset(answer, 0, sizeof answer);
    set_body(curl, argv[i]);
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, fields);
    curl_easy_setopt(curl, CURLOPT_URL, argv[i + 1]);
    rc = curl_easy_perform(curl);
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
    printf("%d %ld %s\n", (int)rc, status, answer);
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, NULL);
    curl_slist_free_all(fields);
  }
  curl_easy_cleanup(curl);
  return 0;
}
