/* api/form/mime_none.c: curl_mime_*(3) and curl_formadd(3) of a build without part forms. A program that
 * links with them runs; each call reports that forms are not built in.
 *
 * Tests: tests/unit/api/test_mime_none.c */
#include "api/easy/easy_handle.h"
#include "api/easy/setopt.h"

/* ---- curl_mime_*(3) ---- */

/* Every form is the same one, which holds nothing, since NULL would mean that memory has run out. The
 * handle for which a form is made is going to send it. Its transfers therefore fail with
 * CURLE_NOT_BUILT_IN unless the application sets another method, even when it ignores the errors of the
 * functions below. */
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

CURLcode curl_mime_name(curl_mimepart *part, const char *name)
{
  (void)part;
  (void)name;
  return CURLE_NOT_BUILT_IN;
}

CURLcode curl_mime_filename(curl_mimepart *part, const char *filename)
{
  (void)part;
  (void)filename;
  return CURLE_NOT_BUILT_IN;
}

CURLcode curl_mime_type(curl_mimepart *part, const char *mimetype)
{
  (void)part;
  (void)mimetype;
  return CURLE_NOT_BUILT_IN;
}

CURLcode curl_mime_encoder(curl_mimepart *part, const char *encoding)
{
  (void)part;
  (void)encoding;
  return CURLE_NOT_BUILT_IN;
}

CURLcode curl_mime_data(curl_mimepart *part, const char *data, size_t datasize)
{
  (void)part;
  (void)data;
  (void)datasize;
  return CURLE_NOT_BUILT_IN;
}

CURLcode curl_mime_filedata(curl_mimepart *part, const char *filename)
{
  (void)part;
  (void)filename;
  return CURLE_NOT_BUILT_IN;
}

CURLcode curl_mime_data_cb(curl_mimepart *part, curl_off_t datasize, curl_read_callback readfunc,
                           curl_seek_callback seekfunc, curl_free_callback freefunc, void *arg)
{
  (void)part;
  (void)datasize;
  (void)readfunc;
  (void)seekfunc;
  (void)freefunc;
  (void)arg;
  return CURLE_NOT_BUILT_IN;
}

CURLcode curl_mime_subparts(curl_mimepart *part, curl_mime *subparts)
{
  (void)part;
  (void)subparts;
  return CURLE_NOT_BUILT_IN;
}

CURLcode curl_mime_headers(curl_mimepart *part, struct curl_slist *headers, int take_ownership)
{
  (void)part;
  (void)headers;
  (void)take_ownership;
  return CURLE_NOT_BUILT_IN;
}

/* ---- curl_formadd(3) ---- */

CURLFORMcode curl_formadd(struct curl_httppost **httppost, struct curl_httppost **last_post, ...)
{
  (void)httppost;
  (void)last_post;
  return CURL_FORMADD_DISABLED;
}

int curl_formget(struct curl_httppost *form, void *arg, curl_formget_callback append)
{
  (void)form;
  (void)arg;
  (void)append;
  return CURL_FORMADD_DISABLED;
}

void curl_formfree(struct curl_httppost *form)
{
  (void)form;
}
