/* api/form/mime_none.c: the form of a build without part forms. A program that makes one runs. The functions
 * that fill it report that forms are not built in (cmake/parts.cmake, ABSENT).
 *
 * Tests: tests/unit/api/test_mime_none.c */
#include "api/easy/easy_handle.h"
#include "api/easy/setopt.h"

/* Every form is the same one, which holds nothing, since NULL would mean that memory has run out. The
 * handle for which a form is made is going to send it. Its transfers therefore fail with
 * CURLE_NOT_BUILT_IN unless the application sets another method, even when it ignores the errors of the
 * other functions. */
static char no_form, no_part;

curl_mime *curl_mime_init(CURL *easy)
{
  struct mote_easy *e = mote_easy_of(easy);
  if(e && mote_setopt_form(e))
    return NULL;
  return (curl_mime *)(void *)&no_form;
}

void curl_mime_free(curl_mime *mime)
{
  (void)mime;
}

curl_mimepart *curl_mime_addpart(curl_mime *mime)
{
  return mime ? (curl_mimepart *)(void *)&no_part : NULL;
}

/* 0 would mean that all of the form was given. */
int curl_formget(struct curl_httppost *form, void *arg, curl_formget_callback append)
{
  (void)form;
  (void)arg;
  (void)append;
  return CURL_FORMADD_DISABLED;
}
