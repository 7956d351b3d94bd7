/* resume.c: a download that goes on where it stopped, in this run or an earlier one.
 *
 *   resume URL FILE
 *
 * The download goes on at the file's length (CURLOPT_RESUME_FROM_LARGE, a Range request). There are three
 * answers: 206 and the rest; 416 with the file's own length as that of the whole, when everything is there
 * already; 200 from a server without ranges, which is CURLE_RANGE_ERROR, and the download starts again from
 * the beginning. This program takes for granted that the content has not changed since the first part. One
 * that cannot know that stores the ETag and sends it as If-Range. */
#define _POSIX_C_SOURCE 200809L /* fseeko, ftello, ftruncate */
#define _FILE_OFFSET_BITS 64

#include <curl/curl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define TRIES 5

struct target {
  CURL *curl;
  FILE *file;
  curl_off_t from; /* bytes that were there */
  int restart;     /* the file is to be replaced, but only when something better comes */
};

static int empty(struct target *t)
{
  t->restart = 0;
  return ftruncate(fileno(t->file), 0);
}

/* Only the body of an answer that fits goes into the file, not the text of an error. */
static size_t write_body(char *bytes, size_t size, size_t n, void *user)
{
  struct target *t = user;
  long code = 0;
  if(curl_easy_getinfo(t->curl, CURLINFO_RESPONSE_CODE, &code))
    return CURL_WRITEFUNC_ERROR;
  if(code != (t->from ? 206 : 200))
    return size * n;
  if(t->restart && empty(t))
    return CURL_WRITEFUNC_ERROR;
  return fwrite(bytes, 1, size * n, t->file);
}

/* True when the file is as long as the whole, whose length a 416 has in Content-Range. */
static int all_there(const struct target *t)
{
  struct curl_header *h;
  char whole[64];
  if(curl_easy_header(t->curl, "Content-Range", 0, CURLH_HEADER, -1, &h))
    return 0;
  snprintf(whole, sizeof whole, "bytes */%" CURL_FORMAT_CURL_OFF_T, t->from);
  return !strcmp(h->value, whole);
}

static CURLcode attempt(CURL *curl, const char *name, int restart)
{
  struct target t = {curl, NULL, 0, restart};
  CURLcode rc = CURLE_WRITE_ERROR;
  long code = 0;
  t.file = fopen(name, "ab"); /* writes go to the end, wherever that is by then */
  if(!t.file)
    return rc;
  if(!restart && !fseeko(t.file, 0, SEEK_END))
    t.from = (curl_off_t)ftello(t.file);
  if(t.from >= 0 && !(rc = curl_easy_setopt(curl, CURLOPT_RESUME_FROM_LARGE, t.from)) &&
     !(rc = curl_easy_setopt(curl, CURLOPT_WRITEDATA, &t))) {
    rc = curl_easy_perform(curl);
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &code);
    if(code == 416)
      rc = all_there(&t) ? CURLE_OK : CURLE_RANGE_ERROR;
    else if(!rc && code != (t.from ? 206 : 200))
      rc = code == 200 ? CURLE_RANGE_ERROR : CURLE_HTTP_RETURNED_ERROR;
    if(!rc && t.restart && empty(&t)) /* the new content has no bytes */
      rc = CURLE_WRITE_ERROR;
  }
  if(fclose(t.file) && !rc)
    rc = CURLE_WRITE_ERROR;
  return rc;
}

/* True when a retry makes sense: not after a 404, a wrong certificate or a full disk. */
static int passing(CURLcode rc)
{
  return rc == CURLE_PARTIAL_FILE || rc == CURLE_RECV_ERROR || rc == CURLE_SEND_ERROR ||
         rc == CURLE_GOT_NOTHING || rc == CURLE_OPERATION_TIMEDOUT;
}

static CURLcode download(CURL *curl, const char *url, const char *name)
{
  CURLcode rc;
  int tries;
  int restart = 0;
  if((rc = curl_easy_setopt(curl, CURLOPT_URL, url)) ||
     (rc = curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, write_body)) ||
     (rc = curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 1L)) ||
     (rc = curl_easy_setopt(curl, CURLOPT_FAILONERROR, 1L)) ||
     (rc = curl_easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, 1L)) || /* a stalled server ends the attempt */
     (rc = curl_easy_setopt(curl, CURLOPT_LOW_SPEED_TIME, 30L)))
    return rc;
  for(tries = 0; tries < TRIES; tries++) {
    rc = attempt(curl, name, restart);
    if(rc == CURLE_RANGE_ERROR && restart)
      break;
    restart = rc == CURLE_RANGE_ERROR;
    if(!restart && !passing(rc))
      break;
    fprintf(stderr, "%s: %s; again\n", url, curl_easy_strerror(rc));
  }
  return rc;
}

int main(int argc, char **argv)
{
  CURL *curl;
  CURLcode rc = CURLE_FAILED_INIT;
  if(argc != 3) {
    fprintf(stderr, "usage: resume URL FILE\n");
    return 2;
  }
  curl = curl_easy_init();
  if(curl)
    rc = download(curl, argv[1], argv[2]);
  if(rc)
    fprintf(stderr, "%s: %s\n", argv[1], curl_easy_strerror(rc));
  curl_easy_cleanup(curl);
  return rc ? 1 : 0;
}
