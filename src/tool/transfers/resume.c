#include "tool/transfers/resume.h"

#include "tool/system/system.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define IF_RANGE "If-Range: "

bool mote_cli_continues(const struct transfer *t)
{
  return mote_cli_op_get_number(t->op, SLOT_CONTINUE, 0) < 0;
}

static long resume_status(const struct transfer *t)
{
  long status = 0;
  curl_easy_getinfo(t->handle, CURLINFO_RESPONSE_CODE, &status);
  return status;
}

static const char *last_header(const struct transfer *t, const char *name)
{
  struct curl_header *header;
  if(curl_easy_header(t->handle, name, 0, CURLH_HEADER, -1, &header))
    return NULL;
  return header->value;
}

/* This try asks for the rest of a document that the response can be compared with. */
static bool has_validator(const struct transfer *t)
{
  return t->retry.resume && t->retry.validator[0];
}

/* Bytes of the whole document that a 200, 206 or 416 is of; 0: the response does not say it. */
static curl_off_t document_length(const struct transfer *t)
{
  long status = resume_status(t);
  const char *range = status == 206 || status == 416 ? last_header(t, "Content-Range") : NULL;
  curl_off_t length = 0;
  if(status == 200)
    curl_easy_getinfo(t->handle, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
  range = range ? strchr(range, '/') : NULL;
  if(range)
    length = strtoll(range + 1, NULL, 10); /* "*" says that the server does not know it */
  return length > 0 ? length : 0;
}

/* A plain download into a regular file that we opened, which has the beginning of a 200 or 206. With --raw
 * the file has the framing of chunks too, so that its length is no place in the document. */
static bool has_beginning(const struct transfer *t, CURLcode code, long status)
{
  const struct operation *op = t->op;
  struct stat st;
  if(!code || t->out_fd < 0 || !t->out_file || !t->out_bytes || (status != 200 && status != 206))
    return false;
  if(t->in_name || op->post.set || mote_cli_op_flag(op, FLAG_COMPRESSED) ||
     mote_cli_op_flag(op, FLAG_SHOW_HEADERS))
    return false;
  return !mote_cli_op_find(op, CURLOPT_HTTP_TRANSFER_DECODING) && !mote_cli_op_find(op, CURLOPT_RANGE) &&
         !mote_cli_op_find(op, CURLOPT_CUSTOMREQUEST) && !mote_cli_op_find(op, SLOT_FORM) &&
         !fstat(t->out_fd, &st) && S_ISREG(st.st_mode);
}

/* Makes If-Range of the last response's strong ETag, or of its date. False: it has neither. */
static bool take_validator(struct transfer *t)
{
  const size_t room = sizeof t->retry.validator;
  const char *value = last_header(t, "ETag");
  int n = 0;
  if(!value || !strncmp(value, "W/", 2))
    value = last_header(t, "Last-Modified");
  if(value)
    n = snprintf(t->retry.validator, room, IF_RANGE "%s", value);
  if(n > 0 && (size_t)n < room)
    return true;
  t->retry.validator[0] = 0;
  return false;
}

bool mote_cli_may_resume(struct transfer *t, CURLcode code)
{
  const char *ranges;
  long status = resume_status(t);
  curl_off_t length;
  if(!has_beginning(t, code, status))
    return false;
  ranges = last_header(t, "Accept-Ranges");
  if(status == 200 && (!ranges || strcasecmp(ranges, "bytes")))
    return false;
  length = document_length(t);
  if(length || status == 200)
    t->retry.length = length;
  return take_validator(t) || mote_cli_continues(t);
}

bool mote_cli_is_replaced(const struct transfer *t, CURLcode code)
{
  long status = resume_status(t);
  if(!t->retry.resume)
    return false;
  if(!mote_cli_continues(t))
    return code == CURLE_RANGE_ERROR || code == CURLE_HTTP_RETURNED_ERROR;
  return has_validator(t) && code == CURLE_RANGE_ERROR && (status == 200 || status == 206 || status == 416);
}

bool mote_cli_may_append(const struct transfer *t)
{
  const char *validator = t->retry.validator + sizeof IF_RANGE - 1, *etag, *date;
  curl_off_t length;
  if(!has_validator(t))
    return true;
  length = document_length(t);
  if(resume_status(t) != 206 || (length && t->retry.length && length != t->retry.length))
    return false;
  etag = last_header(t, "ETag");
  date = last_header(t, "Last-Modified");
  return (etag && !strcmp(etag, validator)) || (date && !strcmp(date, validator));
}

CURLcode mote_cli_resume_failure(struct transfer *t, CURLcode code)
{
  long status = resume_status(t);
  curl_off_t length;
  if(!has_validator(t))
    return code;
  length = document_length(t);
  if(!length)
    length = t->retry.length;
  if(!code && ((status != 206 && !(status == 416 && mote_cli_continues(t))) ||
               (length && t->resume_from + t->out_bytes != length)))
    code = t->failed = CURLE_RANGE_ERROR;
  if(t->failed == CURLE_RANGE_ERROR)
    snprintf(t->error, sizeof t->error, "the server did not send the rest of the document that had begun");
  return code;
}
