/* send_mail.c: a text and maybe a file are sent as a mail.
 *
 *   send_mail smtp://host:587/client.example FROM TO SUBJECT TEXT [FILE]
 *
 * FROM and TO are addresses alone (joe@example.com). The last part of the URL is the name by which the client
 * introduces itself. User and password come from ~/.netrc. TLS is used where the server has it. */
#include <curl/curl.h>
#include <stdio.h>

#define MOST 1000

static struct curl_slist *add_header(struct curl_slist *list, const char *name, const char *value)
{
  char line[MOST];
  struct curl_slist *longer = NULL;
  if(snprintf(line, sizeof line, "%s: %s", name, value) < MOST)
    longer = curl_slist_append(list, line);
  if(!longer)
    curl_slist_free_all(list);
  return longer;
}

/* The lines that a reader sees; where the mail goes is said by CURLOPT_MAIL_RCPT alone. */
static struct curl_slist *header(char **argv)
{
  struct curl_slist *list = add_header(NULL, "From", argv[2]);
  list = list ? add_header(list, "To", argv[3]) : NULL;
  return list ? add_header(list, "Subject", argv[4]) : NULL;
}

/* A mail may have no line of more than 998 bytes and no other bytes than ASCII: the encoders see to that. */
static CURLcode fill(curl_mime *mime, const char *text, const char *file)
{
  curl_mimepart *part = curl_mime_addpart(mime);
  CURLcode rc;
  if((rc = curl_mime_data(part, text, CURL_ZERO_TERMINATED)) ||
     (rc = curl_mime_type(part, "text/plain; charset=utf-8")) ||
     (rc = curl_mime_encoder(part, "quoted-printable")) || !file)
    return rc;
  part = curl_mime_addpart(mime);
  rc = curl_mime_filedata(part, file); /* which is an attachment, with its name */
  return rc ? rc : curl_mime_encoder(part, "base64");
}

static CURLcode send_mail(CURL *curl, char **argv, curl_mime *mime, const struct curl_slist *lines,
                          const struct curl_slist *to)
{
  CURLcode rc;
  if((rc = fill(mime, argv[5], argv[6])) || (rc = curl_easy_setopt(curl, CURLOPT_URL, argv[1])) ||
     (rc = curl_easy_setopt(curl, CURLOPT_MAIL_FROM, argv[2])) ||
     (rc = curl_easy_setopt(curl, CURLOPT_MAIL_RCPT, to)) ||
     (rc = curl_easy_setopt(curl, CURLOPT_HTTPHEADER, lines)) || /* of the mail, too */
     (rc = curl_easy_setopt(curl, CURLOPT_MIMEPOST, mime)) ||
     (rc = curl_easy_setopt(curl, CURLOPT_USE_SSL, (long)CURLUSESSL_TRY)) || /* _ALL insists on it */
     (rc = curl_easy_setopt(curl, CURLOPT_NETRC, (long)CURL_NETRC_OPTIONAL)))
    return rc;
  return curl_easy_perform(curl);
}

int main(int argc, char **argv)
{
  char why[CURL_ERROR_SIZE] = ""; /* must live as long as the handle uses it */
  CURLcode rc = CURLE_OUT_OF_MEMORY;
  struct curl_slist *lines, *to;
  curl_mime *mime;
  CURL *curl;
  if(argc < 6 || argc > 7) {
    fprintf(stderr, "usage: send_mail URL FROM TO SUBJECT TEXT [FILE]\n");
    return 2;
  }
  curl = curl_easy_init();
  mime = curl ? curl_mime_init(curl) : NULL;
  lines = header(argv);
  to = curl_slist_append(NULL, argv[3]);
  if(mime && lines && to && !(rc = curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, why)))
    rc = send_mail(curl, argv, mime, lines, to);
  if(rc)
    fprintf(stderr, "send_mail: %s\n", why[0] ? why : curl_easy_strerror(rc));
  curl_slist_free_all(to);
  curl_slist_free_all(lines);
  curl_mime_free(mime);
  curl_easy_cleanup(curl);
  return rc ? 1 : 0;
}
