/* ftp_upload.c: a file is sent to an FTP server under a temporary name and renamed when all of it is there,
 * so that no program there reads half of it. Folders that are missing are made, and TLS is used where the
 * server has it.
 *
 *   ftp_upload FILE ftp://user@host/folder/ NAME
 *
 * The password comes from ~/.netrc (machine, login, password) or from the URL. */
#include <curl/curl.h>
#include <stdio.h>

#define MOST 2000

/* Two commands after the upload: they run only if all of it was sent. */
static struct curl_slist *renaming(const char *name)
{
  struct curl_slist *commands, *both = NULL;
  char line[MOST];
  snprintf(line, sizeof line, "RNFR %s.part", name);
  commands = curl_slist_append(NULL, line);
  snprintf(line, sizeof line, "RNTO %s", name);
  if(commands)
    both = curl_slist_append(commands, line);
  if(!both)
    curl_slist_free_all(commands);
  return both;
}

static CURLcode target(CURL *curl, const char *folder, const char *name)
{
  char url[MOST];
  char *escaped = curl_easy_escape(curl, name, 0); /* a name may have any byte, a URL may not */
  int n;
  if(!escaped)
    return CURLE_OUT_OF_MEMORY;
  n = snprintf(url, sizeof url, "%s%s.part", folder, escaped);
  curl_free(escaped);
  return n < MOST ? curl_easy_setopt(curl, CURLOPT_URL, url) : CURLE_URL_MALFORMAT;
}

static CURLcode upload(CURL *curl, FILE *f, const struct curl_slist *commands)
{
  CURLcode rc;
  if((rc = curl_easy_setopt(curl, CURLOPT_UPLOAD, 1L)) ||
     (rc = curl_easy_setopt(curl, CURLOPT_READDATA, f)) || /* read to its end; its size need not be known */
     (rc = curl_easy_setopt(curl, CURLOPT_POSTQUOTE, commands)) ||
     (rc = curl_easy_setopt(curl, CURLOPT_FTP_CREATE_MISSING_DIRS, (long)CURLFTP_CREATE_DIR)) ||
     (rc = curl_easy_setopt(curl, CURLOPT_USE_SSL, (long)CURLUSESSL_TRY)) || /* _ALL insists on it */
     (rc = curl_easy_setopt(curl, CURLOPT_NETRC, (long)CURL_NETRC_OPTIONAL)))
    return rc;
  return curl_easy_perform(curl);
}

int main(int argc, char **argv)
{
  char why[CURL_ERROR_SIZE] = ""; /* must live as long as the handle uses it */
  CURLcode rc = CURLE_OUT_OF_MEMORY;
  struct curl_slist *commands = NULL;
  CURL *curl;
  FILE *f;
  if(argc != 4) {
    fprintf(stderr, "usage: ftp_upload FILE FOLDER-URL NAME\n");
    return 2;
  }
  f = fopen(argv[1], "rb");
  if(!f) {
    perror(argv[1]);
    return 1;
  }
  curl = curl_easy_init();
  if(curl)
    commands = renaming(argv[3]);
  if(commands && !(rc = curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, why)) &&
     !(rc = target(curl, argv[2], argv[3])))
    rc = upload(curl, f, commands);
  if(rc)
    fprintf(stderr, "ftp_upload: %s\n", why[0] ? why : curl_easy_strerror(rc));
  curl_easy_cleanup(curl);
  curl_slist_free_all(commands);
  fclose(f);
  return rc ? 1 : 0;
}
