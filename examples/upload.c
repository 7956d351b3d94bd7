/* upload.c: a file is sent with PUT, and a line says how far it is.
 *
 *   upload FILE URL */
#define _POSIX_C_SOURCE 200809L /* fseeko, ftello */
#define _FILE_OFFSET_BITS 64    /* files over 2 GB on 32-bit systems */

#include <curl/curl.h>
#include <stdio.h>

/* The library asks for the next bytes of the body: at most size * n. Less is fine, 0 is the end. */
static size_t read_body(char *to, size_t size, size_t n, void *user)
{
  FILE *f = user;
  size_t got = fread(to, 1, size * n, f);
  return got || !ferror(f) ? got : CURL_READFUNC_ABORT;
}

/* The library may have to send the body again from an earlier place: after a redirect, after a refused
 * login, or when a kept connection turns out to be closed. */
static int seek_body(void *user, curl_off_t offset, int origin)
{
  return fseeko(user, (off_t)offset, origin) ? CURL_SEEKFUNC_FAIL : CURL_SEEKFUNC_OK;
}

/* Called about once a second and whenever something moves. Anything but 0 ends the transfer. */
static int progress(void *user, curl_off_t down_total, curl_off_t down, curl_off_t up_total, curl_off_t up)
{
  (void)user;
  (void)down_total;
  (void)down;
  if(up_total > 0)
    fprintf(stderr, "\r%" CURL_FORMAT_CURL_OFF_T " of %" CURL_FORMAT_CURL_OFF_T " bytes sent", up, up_total);
  return 0;
}

static CURLcode file_size(FILE *f, curl_off_t *size)
{
  if(fseeko(f, 0, SEEK_END))
    return CURLE_READ_ERROR;
  *size = (curl_off_t)ftello(f);
  return *size < 0 || fseeko(f, 0, SEEK_SET) ? CURLE_READ_ERROR : CURLE_OK;
}

static CURLcode upload(CURL *curl, FILE *f, const char *url)
{
  curl_off_t size;
  CURLcode rc = file_size(f, &size);
  if(rc)
    return rc;
  if((rc = curl_easy_setopt(curl, CURLOPT_URL, url)) ||
     (rc = curl_easy_setopt(curl, CURLOPT_UPLOAD, 1L)) || /* PUT */
     (rc = curl_easy_setopt(curl, CURLOPT_INFILESIZE_LARGE, size)) ||
     (rc = curl_easy_setopt(curl, CURLOPT_READFUNCTION, read_body)) ||
     (rc = curl_easy_setopt(curl, CURLOPT_READDATA, f)) ||
     (rc = curl_easy_setopt(curl, CURLOPT_SEEKFUNCTION, seek_body)) ||
     (rc = curl_easy_setopt(curl, CURLOPT_SEEKDATA, f)) ||
     (rc = curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, progress)) ||
     (rc = curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L)) || /* without it the callback stays silent */
     (rc = curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 1L)) ||
     (rc = curl_easy_setopt(curl, CURLOPT_FAILONERROR, 1L)))
    return rc;
  rc = curl_easy_perform(curl);
  fputc('\n', stderr);
  return rc;
}

int main(int argc, char **argv)
{
  char why[CURL_ERROR_SIZE] = ""; /* must live as long as the handle uses it */
  CURLcode rc = CURLE_FAILED_INIT;
  CURL *curl;
  FILE *f;
  if(argc != 3) {
    fprintf(stderr, "usage: upload FILE URL\n");
    return 2;
  }
  f = fopen(argv[1], "rb");
  if(!f) {
    perror(argv[1]);
    return 1;
  }
  curl = curl_easy_init();
  if(curl && !(rc = curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, why)))
    rc = upload(curl, f, argv[2]);
  if(rc)
    fprintf(stderr, "upload: %s\n", why[0] ? why : curl_easy_strerror(rc));
  curl_easy_cleanup(curl);
  fclose(f);
  return rc ? 1 : 0;
}
