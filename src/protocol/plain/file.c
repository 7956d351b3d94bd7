/* protocol/plain/file.c: file URLs (RFC 8089), where a local file is the document or the destination of an
 * upload.
 *
 * This is a local protocol, without a connection. One block at run->channel.state (protocol/plain/file.h)
 * holds the open file and what remains to be done with it; protocol/plain/file_move.c moves the bytes.
 *
 * Behaviour: as observed of libcurl and as its manual pages say (CURLOPT_RANGE(3), CURLOPT_RESUME_FROM(3),
 *          CURLOPT_TIMECONDITION(3), CURLOPT_MAXFILESIZE(3)).
 * Errors:  CURLE_FILE_COULDNT_READ_FILE, CURLE_URL_MALFORMAT (a NUL in the path), CURLE_RANGE_ERROR,
 *          CURLE_BAD_DOWNLOAD_RESUME (past the end, or the size is unknown), CURLE_FILESIZE_EXCEEDED;
 *          for uploads CURLE_WRITE_ERROR (the file cannot be opened) and CURLE_SEND_ERROR.
 * Tests:   tests/e2e/test_file.py, test_errors.py */
#include <string.h>

#include "codec/url/percent.h"
#include "codec/url/url.h"
#include "port/file.h"
#include "protocol/document.h"
#include "protocol/plain/file.h"
#include "transfer/protocol.h"
#include "transfer/upload/source.h"

#define NANOSECONDS 1000000000

static CURLcode file_prepare(struct mote_transfer *t)
{
  if(t->run->request.method == MOTE_METHOD_PUT)
    return mote_source_open_whole(t);
  mote_source_close(t); /* a POST to a file is a download */
  mote_request_announce(&t->run->request, -1);
  return CURLE_OK;
}

static CURLcode plain_file_make_state(struct mote_transfer *t)
{
  struct mote_url url;
  struct mote_slice path;
  struct mote_file *s;
  size_t len;
  mote_url_unpack(&t->run->request.url, &url);
  path = mote_url_get(&url, MOTE_URL_PATH);
  s = mote_mem_zalloc(&t->account, MOTE_PART_TRANSFER, sizeof *s + path.len + 1);
  if(!s)
    return CURLE_OUT_OF_MEMORY;
  s->file = -1;
  s->block = (uint32_t)(sizeof *s + path.len + 1);
  t->run->channel.state = s;
  if(mote_percent_decode(path, MOTE_PERCENT_REJECT_NUL, mote_file_path(s), path.len, &len))
    return mote_fail_as(CURLE_URL_MALFORMAT, &t->report, "The path of the file: URL contains a NUL");
  mote_file_path(s)[len] = 0;
  return CURLE_OK;
}

static CURLcode read_info(struct mote_transfer *t, struct mote_file *s)
{
  struct mote_file_info info;
  int err = mote_port_file_info(s->file, &info);
  if(err)
    return mote_file_failed(t, CURLE_FILE_COULDNT_READ_FILE, "inspect", err);
  s->size = info.regular ? info.size : 0;
  s->modified = info.mtime / NANOSECONDS - (info.mtime % NANOSECONDS < 0);
  s->directory = info.directory;
  return CURLE_OK;
}

/* ---- the part of the file that is requested ---- */

static CURLcode plain_file_bad_range(struct mote_transfer *t)
{
  return mote_fail_as(CURLE_RANGE_ERROR, &t->report,
                      "The range of a file must be FIRST-LAST, FIRST- or -LENGTH");
}

static CURLcode cannot_resume(struct mote_transfer *t)
{
  return mote_fail_as(CURLE_BAD_DOWNLOAD_RESUME, &t->report, "failed to resume file:// transfer");
}

static bool plain_file_take_number(struct mote_slice *text, curl_off_t *out)
{
  uint64_t v;
  size_t used;
  if(!mote_parse_dec_prefix(*text, INT64_MAX - 1, &v, &used))
    return false;
  *out = (curl_off_t)v;
  text->ptr += used;
  text->len -= used;
  return true;
}

/* Parses the first range of CURLOPT_RANGE. *last stays -1 when the range goes to the end. */
static CURLcode parse_range(struct mote_transfer *t, const char *text, curl_off_t *first, curl_off_t *last)
{
  struct mote_slice range = {text, strcspn(text, ",")};
  curl_off_t size = mote_file_of(t)->size;
  bool have_first = plain_file_take_number(&range, first);
  bool dash = range.len && range.ptr[0] == '-';
  if(dash) {
    range.ptr++;
    range.len--;
  }
  if(range.len && (!dash || !plain_file_take_number(&range, last)))
    return plain_file_bad_range(t);
  if(range.len || !dash || (!have_first && *last <= 0) || (have_first && *last >= 0 && *last < *first))
    return plain_file_bad_range(t);
  if(have_first)
    return CURLE_OK;
  if(*last > size)
    return cannot_resume(t);
  *first = size - *last;
  *last = -1;
  return CURLE_OK;
}

/* Sets `left` and seeks to the first byte. CURLOPT_RESUME_FROM takes precedence over CURLOPT_RANGE. -1, which
 * is for uploads, is the last byte, as libcurl has it. */
static CURLcode plain_file_choose_part(struct mote_transfer *t, struct mote_file *s)
{
  const char *range = mote_opt_str(&t->options, CURLOPT_RANGE);
  curl_off_t first = mote_opt_off(&t->options, CURLOPT_RESUME_FROM_LARGE), last = -1;
  if(first < 0 && s->directory)
    return cannot_resume(t);
  if(first < 0)
    first = s->size ? s->size - 1 : 0;
  else if(!first && range) {
    CURLcode rc = parse_range(t, range, &first, &last);
    if(rc)
      return rc;
  }
  if(first > s->size)
    return cannot_resume(t);
  s->bounded = s->size > 0 || last >= 0;
  s->left = s->size - first;
  if(last >= 0 && (!s->size || last - first + 1 < s->left))
    s->left = last - first + 1;
  mote_response_announce(&t->run->response, s->bounded || !s->directory ? s->left : -1);
  return first && mote_port_file_seek(s->file, first) ? cannot_resume(t) : CURLE_OK;
}

/* A file modified in that very second counts as neither newer nor older. A part of a file is delivered
 * whatever its time, as libcurl does. */
static bool plain_file_condition_unmet(struct mote_transfer *t, const struct mote_file *s)
{
  long condition = mote_opt_long(&t->options, CURLOPT_TIMECONDITION);
  curl_off_t value = mote_opt_off(&t->options, CURLOPT_TIMEVALUE_LARGE);
  bool older = condition == CURL_TIMECOND_IFUNMODSINCE;
  bool part = mote_opt_str(&t->options, CURLOPT_RANGE) ||
              mote_opt_off(&t->options, CURLOPT_RESUME_FROM_LARGE);
  if(part || !condition || !value || (older ? s->modified < value : s->modified > value))
    return false;
  mote_info(&t->report, "The requested document is not %s enough", older ? "old" : "new");
  t->run->response.condition_unmet = true;
  return true;
}

static CURLcode open_document(struct mote_transfer *t, struct mote_file *s)
{
  int err = mote_port_file_open(mote_file_path(s), MOTE_FILE_READ, 0, &s->file);
  if(!err)
    return CURLE_OK;
  t->run->stats.os_errno = (uint16_t)err;
  return mote_fail_as(CURLE_FILE_COULDNT_READ_FILE, &t->report, "Couldn't open file %s", mote_file_path(s));
}

static CURLcode begin_download(struct mote_transfer *t, struct mote_file *s)
{
  curl_off_t most = mote_opt_off(&t->options, CURLOPT_MAXFILESIZE_LARGE);
  CURLcode rc = read_info(t, s);
  if(!rc)
    rc = mote_document_note_time(t, s->modified);
  if(rc)
    return rc;
  if(plain_file_condition_unmet(t, s)) {
    s->stage = MOTE_FILE_STAGE_DONE;
    return CURLE_OK;
  }
  s->stage = s->directory ? MOTE_FILE_STAGE_MODIFIED : MOTE_FILE_STAGE_LENGTH;
  if(t->run->request.method == MOTE_METHOD_HEAD) {
    mote_response_announce(&t->run->response, s->directory ? -1 : s->size);
    return CURLE_OK;
  }
  rc = plain_file_choose_part(t, s);
  if(!rc && most > 0 && s->bounded && s->left > most)
    return mote_fail_as(CURLE_FILESIZE_EXCEEDED, &t->report, "Maximum file size exceeded");
  return rc;
}

/* With CURLOPT_RESUME_FROM the upload skips that many bytes of its source; -1 stands for the size of the
 * existing file. */
static CURLcode begin_upload(struct mote_transfer *t, struct mote_file *s)
{
  curl_off_t from = mote_opt_off(&t->options, CURLOPT_RESUME_FROM_LARGE);
  struct mote_file_info info;
  unsigned perms = (unsigned)mote_opt_long(&t->options, CURLOPT_NEW_FILE_PERMS);
  int err;
  if(from < 0)
    from = mote_port_path_info(mote_file_path(s), &info) ? 0 : info.size;
  err = mote_port_file_open(mote_file_path(s), from ? MOTE_FILE_APPEND : MOTE_FILE_WRITE, perms, &s->file);
  if(err) {
    t->run->stats.os_errno = (uint16_t)err;
    return mote_fail_as(CURLE_WRITE_ERROR, &t->report, "Can't open %s for writing", mote_file_path(s));
  }
  s->skip = from;
  s->stage = MOTE_FILE_STAGE_WRITE;
  return CURLE_OK;
}

/* CURLOPT_CONNECT_ONLY stands for opening the document, and leaves the destination of an upload as it is. */
static CURLcode file_begin(struct mote_transfer *t)
{
  bool upload = t->run->request.method == MOTE_METHOD_PUT;
  CURLcode rc = plain_file_make_state(t);
  if(!rc && !upload)
    rc = open_document(t, mote_file_of(t));
  if(rc)
    return rc;
  if(mote_opt_long(&t->options, CURLOPT_CONNECT_ONLY) == 1) {
    mote_file_of(t)->stage = MOTE_FILE_STAGE_DONE;
    return CURLE_OK;
  }
  return upload ? begin_upload(t, mote_file_of(t)) : begin_download(t, mote_file_of(t));
}

static void file_end(struct mote_transfer *t, CURLcode rc)
{
  struct mote_file *s = mote_file_of(t);
  (void)rc;
  if(!s)
    return;
  if(s->file >= 0)
    (void)mote_port_file_close(s->file);
  mote_mem_free(&t->account, MOTE_PART_TRANSFER, s, s->block);
  t->run->channel.state = NULL;
}

const struct mote_protocol mote_protocol_file = {
  .name = "file",
  .local = true,
  .prepare = file_prepare,
  .begin = file_begin,
  .step = mote_file_step,
  .end = file_end,
  MOTE_PROTOCOL_CEILING(mote_file_ceiling),
};
