/* api/form/mime.c: curl_mime_*(3), which build a form (transfer/upload/mime.h). */
#include <string.h>

#include "transfer/options/options.h"
#include "transfer/upload/mime.h"

/* The handle is not needed. Random bytes come from the platform. */
curl_mime *curl_mime_init(CURL *easy)
{
  (void)easy;
  return mote_mime_new();
}

void curl_mime_free(curl_mime *mime)
{
  if(mime && mime->user) /* the handle sends an empty form then */
    mote_option_unset(mime->user, MOTE_OPT_ID(CURLOPT_MIMEPOST));
  if(mime && mime->busy) /* the application removes the handle later, or goes on with it */
    mime->freed = true;
  else
    mote_mime_close(mime);
}

curl_mimepart *curl_mime_addpart(curl_mime *mime)
{
  return mime ? mote_mime_add(mime) : NULL;
}

static CURLcode set_text(curl_mimepart *part, struct mote_mime_string *s, const char *text)
{
  return mote_mime_keep(part, s, text, text ? strlen(text) : 0);
}

CURLcode curl_mime_name(curl_mimepart *part, const char *name)
{
  return part ? set_text(part, &part->name, name) : CURLE_BAD_FUNCTION_ARGUMENT;
}

CURLcode curl_mime_filename(curl_mimepart *part, const char *filename)
{
  return part ? set_text(part, &part->filename, filename) : CURLE_BAD_FUNCTION_ARGUMENT;
}

CURLcode curl_mime_type(curl_mimepart *part, const char *mimetype)
{
  return part ? set_text(part, &part->type, mimetype) : CURLE_BAD_FUNCTION_ARGUMENT;
}

CURLcode curl_mime_encoder(curl_mimepart *part, const char *encoding)
{
  if(!part)
    return CURLE_BAD_FUNCTION_ARGUMENT;
  part->coding = encoding ? mote_mime_coding_find(encoding) : NULL;
  return !encoding || part->coding ? CURLE_OK : CURLE_BAD_FUNCTION_ARGUMENT;
}

CURLcode curl_mime_data(curl_mimepart *part, const char *data, size_t datasize)
{
  struct mote_mime_string copy = {NULL, 0};
  CURLcode rc;
  if(!part)
    return CURLE_BAD_FUNCTION_ARGUMENT;
  if(!data) {
    mote_mime_clear(part);
    return CURLE_OK;
  }
  if(datasize == CURL_ZERO_TERMINATED)
    datasize = strlen(data);
  rc = mote_mime_keep(part, &copy, data, datasize); /* first, as the data may be the content so far */
  mote_mime_clear(part);
  if(rc)
    return rc;
  part->text = copy;
  part->kind = MOTE_MIME_DATA;
  part->size = (curl_off_t)datasize;
  return CURLE_OK;
}

CURLcode curl_mime_filedata(curl_mimepart *part, const char *filename)
{
  if(!part)
    return CURLE_BAD_FUNCTION_ARGUMENT;
  if(filename)
    return mote_mime_set_file(part, filename);
  mote_mime_clear(part);
  return CURLE_OK;
}

CURLcode curl_mime_data_cb(curl_mimepart *part, curl_off_t datasize, curl_read_callback readfunc,
                           curl_seek_callback seekfunc, curl_free_callback freefunc, void *arg)
{
  struct mote_mime_callback call = {.read = readfunc, .seek = seekfunc, .free = freefunc, .arg = arg};
  if(!part)
    return CURLE_BAD_FUNCTION_ARGUMENT;
  mote_mime_set_callback(part, datasize, &call);
  return CURLE_OK;
}

CURLcode curl_mime_subparts(curl_mimepart *part, curl_mime *subparts)
{
  return part ? mote_mime_set_form(part, subparts) : CURLE_BAD_FUNCTION_ARGUMENT;
}

CURLcode curl_mime_headers(curl_mimepart *part, struct curl_slist *headers, int take_ownership)
{
  if(!part)
    return CURLE_BAD_FUNCTION_ARGUMENT;
  mote_mime_set_headers(part, headers, take_ownership != 0);
  return CURLE_OK;
}
