/* protocol/file.c: file: URLs (RFC 8089): a local file is the document, or the place of an upload.
 *
 * A local protocol: no connection. The open file and what is still to be done with it are one block behind
 * run->local_state, from begin to end. A step moves a few chunks through the multi's buffer and asks for
 * another one (mote_transfer_wake), so that other transfers have their turn. Regular files never make anybody
 * wait; a pipe or a device that has nothing to give does, until it has: its read blocks.
 *
 * Answers: what libcurl 7.88 does, watched, and its manual pages (CURLOPT_RANGE(3), CURLOPT_RESUME_FROM(3),
 * CURLOPT_TIMECONDITION(3), CURLOPT_MAXFILESIZE(3)).
 * Failure: CURLE_FILE_COULDNT_READ_FILE (also for a directory: there is no listing), CURLE_URL_MALFORMAT (a
 *          NUL in the path), CURLE_RANGE_ERROR, CURLE_BAD_DOWNLOAD_RESUME (behind the end, or where the size
 *          is not known), CURLE_FILESIZE_EXCEEDED; of uploads CURLE_WRITE_ERROR (cannot be opened),
 *          CURLE_SEND_ERROR.
 * Tests:   tests/e2e/test_file.py, test_errors.py */
#include <string.h>

#include "base/date.h"
#include "base/format.h"
#include "base/memory.h"
#include "base/report.h"
#include "codec/percent.h"
#include "codec/url.h"
#include "port/port.h"
#include "transfer/buffer.h"
#include "transfer/progress.h"
#include "transfer/protocol.h"
#include "transfer/sink.h"
#include "transfer/source.h"
#include "transfer/transfer.h"

#define CHUNKS_PER_STEP 16 /* then others have their turn */
#define LINE_ROOM 64       /* longest of our header lines and a NUL */
#define NANOSECONDS 1000000000

/* What is done next; a download goes from one to the next. */
enum file_stage {
  FILE_LENGTH,   /* the header lines that libcurl makes up */
  FILE_RANGES,
  FILE_MODIFIED,
  FILE_BLANK,
  FILE_READ,
  FILE_WRITE,    /* an upload has only this one */
  FILE_DONE
};

struct file_state {
  int file;          /* open descriptor, or -1 */
  uint8_t stage;     /* enum file_stage */
  bool bounded;      /* `left` counts; otherwise to the end of the file */
  curl_off_t left;   /* bytes of the document still to be delivered */
  curl_off_t skip;   /* bytes of the upload's source that are there already */
  int64_t size;      /* of the file, as the platform tells it; 0 where it does not know */
  int64_t modified;  /* Unix time in seconds */
  bool directory;
  uint32_t block;    /* bytes of this struct and the path behind it */
};

static struct file_state *state_of(const struct mote_transfer *t)
{
  return t->run->local_state;
}

static char *path_of(struct file_state *s)
{
  return (char *)(s + 1);
}

static CURLcode file_prepare(struct mote_transfer *t)
{
  CURLcode rc = t->run->redirects ? mote_source_rewind(t) : CURLE_OK;
  if(t->run->method != MOTE_METHOD_PUT) {
    mote_source_close(t); /* a POST to a file is a download */
    t->run->size_up = -1;
    return CURLE_OK;
  }
  return rc ? rc : mote_source_open_whole(t);
}

static CURLcode make_state(struct mote_transfer *t)
{
  struct mote_url url;
  struct mote_slice path;
  struct file_state *s;
  size_t len;
  mote_url_unpack(&t->run->url, &url);
  path = mote_url_get(&url, MOTE_URL_PATH);
  s = mote_mem_zalloc(&t->account, MOTE_PART_TRANSFER, sizeof *s + path.len + 1);
  if(!s)
    return CURLE_OUT_OF_MEMORY;
  s->file = -1;
  s->block = (uint32_t)(sizeof *s + path.len + 1);
  t->run->local_state = s;
  if(mote_percent_decode(path, MOTE_PERCENT_REJECT_NUL, path_of(s), path.len, &len)) {
    mote_fail(&t->report, "A NUL in the path of a file: URL");
    return CURLE_URL_MALFORMAT;
  }
  path_of(s)[len] = 0;
  return CURLE_OK;
}

static CURLcode failed(struct mote_transfer *t, CURLcode rc, const char *what, int err)
{
  char why[80];
  t->run->os_errno = err;
  (void)mote_port_error_text(err, why, sizeof why);
  mote_fail(&t->report, "Couldn't %s file %s: %s", what, path_of(state_of(t)), why);
  return rc;
}

static CURLcode look(struct mote_transfer *t, struct file_state *s)
{
  struct mote_file_info info;
  int err = mote_port_file_info(s->file, &info);
  if(err)
    return failed(t, CURLE_FILE_COULDNT_READ_FILE, "look at", err);
  s->size = info.regular ? info.size : 0;
  s->modified = info.mtime / NANOSECONDS - (info.mtime % NANOSECONDS < 0);
  s->directory = info.directory;
  return CURLE_OK;
}

/* ---- what of the file is asked for ---- */

static CURLcode bad_range(struct mote_transfer *t)
{
  mote_fail(&t->report, "A range of a file is FIRST-LAST, FIRST- or -LENGTH");
  return CURLE_RANGE_ERROR;
}

static CURLcode behind_end(struct mote_transfer *t)
{
  mote_fail(&t->report, "failed to resume file:// transfer");
  return CURLE_BAD_DOWNLOAD_RESUME;
}

static bool take_number(struct mote_slice *text, curl_off_t *out)
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

/* CURLOPT_RANGE: the first range of the list. *last is -1: to the end. A number alone is FIRST-. */
static CURLcode parse_range(struct mote_transfer *t, const char *text, curl_off_t *first, curl_off_t *last)
{
  struct mote_slice range = {text, strcspn(text, ",")};
  curl_off_t size = state_of(t)->size;
  bool have_first = take_number(&range, first);
  bool dash = range.len && range.ptr[0] == '-';
  if(dash) {
    range.ptr++;
    range.len--;
  }
  if(range.len && (!dash || !take_number(&range, last)))
    return bad_range(t);
  if(range.len || (!have_first && *last < 0) || (have_first && *last >= 0 && *last < *first))
    return bad_range(t);
  if(have_first)
    return CURLE_OK;
  if(*last > size)
    return behind_end(t);
  *first = *last ? size - *last : 0; /* the last 0 bytes are the whole, in libcurl */
  *last = -1;
  return CURLE_OK;
}

/* RESUME_FROM wins over RANGE. Sets `left` and goes to the first byte. */
static CURLcode choose_part(struct mote_transfer *t, struct file_state *s)
{
  const char *range = mote_opt_str(&t->options, CURLOPT_RANGE);
  curl_off_t first = mote_opt_off(&t->options, CURLOPT_RESUME_FROM_LARGE), last = -1;
  if(first <= 0) {
    CURLcode rc = CURLE_OK;
    first = 0;
    if(range && *range)
      rc = parse_range(t, range, &first, &last);
    if(rc)
      return rc;
  }
  if(first > s->size)
    return behind_end(t);
  s->bounded = s->size > 0 || last >= 0;
  s->left = s->size - first;
  if(last >= 0 && (!s->size || last - first + 1 < s->left))
    s->left = last - first + 1;
  t->run->size_down = s->left;
  return first && mote_port_file_seek(s->file, first) ? behind_end(t) : CURLE_OK;
}

/* The very second is neither newer nor older. */
static bool condition_unmet(struct mote_transfer *t, const struct file_state *s)
{
  long condition = mote_opt_long(&t->options, CURLOPT_TIMECONDITION);
  curl_off_t value = mote_opt_off(&t->options, CURLOPT_TIMEVALUE_LARGE);
  bool older = condition == CURL_TIMECOND_IFUNMODSINCE;
  if(!condition || !value || (older ? s->modified < value : s->modified > value))
    return false;
  mote_info(&t->report, "The requested document is not %s enough", older ? "old" : "new");
  t->run->condition_unmet = true;
  return true;
}

/* CURLINFO_FILETIME finds it there; origin 0: curl_easy_header() does not show it. */
static CURLcode note_time(struct mote_transfer *t, const struct file_state *s)
{
  char text[24];
  struct mote_slice value = {text, 0};
  value.len = (size_t)mote_snprintf(text, sizeof text, "%" CURL_FORMAT_CURL_OFF_T, (curl_off_t)s->modified);
  return mote_headers_add(&t->run->headers, &t->account, 0, mote_slice_of("Last-Modified"), value);
}

static CURLcode begin_download(struct mote_transfer *t, struct file_state *s)
{
  curl_off_t most = mote_opt_off(&t->options, CURLOPT_MAXFILESIZE_LARGE);
  CURLcode rc;
  int err = mote_port_file_open(path_of(s), MOTE_FILE_READ, &s->file);
  if(err) {
    t->run->os_errno = err;
    mote_fail(&t->report, "Couldn't open file %s", path_of(s));
    return CURLE_FILE_COULDNT_READ_FILE;
  }
  rc = look(t, s);
  if(!rc)
    rc = note_time(t, s);
  if(rc)
    return rc;
  if(condition_unmet(t, s)) {
    s->stage = FILE_DONE;
    return CURLE_OK;
  }
  s->stage = s->directory ? FILE_MODIFIED : FILE_LENGTH;
  if(t->run->method == MOTE_METHOD_HEAD) {
    t->run->size_down = s->directory ? -1 : s->size;
    return CURLE_OK;
  }
  if(s->directory) {
    mote_fail(&t->report, "Couldn't read file %s: it is a directory", path_of(s));
    return CURLE_FILE_COULDNT_READ_FILE;
  }
  rc = choose_part(t, s);
  if(!rc && most > 0 && s->bounded && s->left > most) {
    mote_fail(&t->report, "the file is larger than allowed");
    return CURLE_FILESIZE_EXCEEDED;
  }
  return rc;
}

/* RESUME_FROM: what the target has already is skipped in the source; -1: as much as the target has. */
static CURLcode begin_upload(struct mote_transfer *t, struct file_state *s)
{
  curl_off_t from = mote_opt_off(&t->options, CURLOPT_RESUME_FROM_LARGE);
  struct mote_file_info info;
  int err;
  if(from < 0)
    from = mote_port_path_info(path_of(s), &info) ? 0 : info.size;
  err = mote_port_file_open(path_of(s), from ? MOTE_FILE_APPEND : MOTE_FILE_WRITE, &s->file);
  if(err) {
    t->run->os_errno = err;
    mote_fail(&t->report, "Can't open %s for writing", path_of(s));
    return CURLE_WRITE_ERROR;
  }
  s->skip = from;
  s->stage = FILE_WRITE;
  return CURLE_OK;
}

static CURLcode file_begin(struct mote_transfer *t)
{
  CURLcode rc = make_state(t);
  if(rc)
    return rc;
  if(mote_opt_long(&t->options, CURLOPT_CONNECT_ONLY)) {
    state_of(t)->stage = FILE_DONE;
    return CURLE_OK;
  }
  if(t->run->method == MOTE_METHOD_PUT)
    return begin_upload(t, state_of(t));
  return begin_download(t, state_of(t));
}

/* ---- moving bytes ---- */

/* One header line. A line that is refused with a pause is kept by the sink: the next stage comes after it. */
static CURLcode tell(struct mote_transfer *t, struct file_state *s)
{
  char line[LINE_ROOM], date[MOTE_DATE_HTTP_SIZE];
  int n = 0;
  if(s->stage == FILE_LENGTH)
    n = mote_snprintf(line, sizeof line, "Content-Length: %" CURL_FORMAT_CURL_OFF_T "\r\n",
                      (curl_off_t)s->size);
  else if(s->stage == FILE_RANGES)
    n = mote_snprintf(line, sizeof line, "Accept-ranges: bytes\r\n");
  else if(s->stage == FILE_BLANK)
    n = mote_snprintf(line, sizeof line, "\r\n");
  else if(mote_date_format_http(date, s->modified))
    n = mote_snprintf(line, sizeof line, "Last-Modified: %s\r\n", date);
  s->stage++;
  if(t->run->method == MOTE_METHOD_HEAD && s->stage == FILE_BLANK)
    s->stage = FILE_DONE;
  return n > 0 ? mote_sink_meta(t, line, (size_t)n) : CURLE_OK;
}

/* As much as one call of the write callback may get: a pause then keeps the whole of it. */
static CURLcode read_chunk(struct mote_transfer *t, struct file_state *s, mote_time now)
{
  struct mote_run *r = t->run;
  uint32_t size = (uint32_t)mote_opt_long(&t->options, CURLOPT_BUFFERSIZE);
  size_t most = size < CURL_MAX_WRITE_SIZE ? size : CURL_MAX_WRITE_SIZE, n, used;
  char *buffer;
  int err;
  if(s->bounded && s->left < (curl_off_t)most)
    most = (size_t)s->left;
  if(most) {
    most = mote_speed_allow_down(t, now, most);
    r->recv_limited = !most;
    if(!most)
      return CURLE_AGAIN;
  }
  buffer = mote_multi_buffer(t->multi, size);
  if(!buffer)
    return CURLE_OUT_OF_MEMORY;
  err = most ? mote_port_file_read(s->file, buffer, most, &n) : 0;
  if(err)
    return failed(t, CURLE_FILE_COULDNT_READ_FILE, "read", err);
  if(!most || !n) { /* the end, also of a file that has become shorter, or never was as long as it says */
    s->stage = FILE_DONE;
    return CURLE_OK;
  }
  s->left -= (curl_off_t)n;
  if(!r->got_bytes)
    mote_mark_set(r, MOTE_MARK_STARTTRANSFER, now);
  r->got_bytes = true;
  mote_speed_passed_down(t, n);
  return mote_sink_body(t, buffer, n, &used);
}

/* Written bytes that did not reach the disk may be told by the close only. */
static CURLcode finish_upload(struct mote_transfer *t, struct file_state *s)
{
  int err = mote_port_file_close(s->file);
  s->file = -1;
  s->stage = FILE_DONE;
  mote_mark_set(t->run, MOTE_MARK_POSTTRANSFER, mote_port_now());
  return err ? failed(t, CURLE_SEND_ERROR, "write", err) : CURLE_OK;
}

static CURLcode write_chunk(struct mote_transfer *t, struct file_state *s, mote_time now)
{
  struct mote_run *r = t->run;
  uint32_t size = (uint32_t)mote_opt_long(&t->options, CURLOPT_BUFFERSIZE);
  size_t most = mote_speed_allow_up(t, now, size), n;
  char *buffer;
  CURLcode rc;
  int err;
  r->send_limited = !most;
  if(!most)
    return CURLE_AGAIN;
  buffer = mote_multi_buffer(t->multi, size);
  if(!buffer)
    return CURLE_OUT_OF_MEMORY;
  rc = mote_source_read(t, buffer, most, &n);
  if(rc)
    return rc;
  if(!n)
    return finish_upload(t, s);
  r->got_bytes = true;
  if((curl_off_t)n <= s->skip) {
    s->skip -= (curl_off_t)n;
    return CURLE_OK;
  }
  buffer += s->skip;
  n -= (size_t)s->skip;
  s->skip = 0;
  err = mote_port_file_write(s->file, buffer, n);
  if(err)
    return failed(t, CURLE_SEND_ERROR, "write", err);
  r->bytes_up += (curl_off_t)n;
  mote_speed_passed_up(t, n);
  return CURLE_OK;
}

static CURLcode one_move(struct mote_transfer *t, struct file_state *s, mote_time now)
{
  if(s->stage == FILE_WRITE)
    return t->run->send_paused ? CURLE_AGAIN : write_chunk(t, s, now);
  if(t->run->recv_paused)
    return CURLE_AGAIN;
  return s->stage == FILE_READ ? read_chunk(t, s, now) : tell(t, s);
}

static CURLcode file_step(struct mote_transfer *t)
{
  struct file_state *s = state_of(t);
  mote_time now = mote_port_now();
  CURLcode rc = t->run->recv_paused ? CURLE_AGAIN : mote_sink_resume(t);
  int moves;
  for(moves = 0; !rc && s->stage != FILE_DONE; moves++) {
    if(moves == CHUNKS_PER_STEP) {
      mote_transfer_wake(t);
      return CURLE_AGAIN;
    }
    rc = one_move(t, s, now);
  }
  return rc;
}

static void file_end(struct mote_transfer *t, CURLcode rc)
{
  struct file_state *s = state_of(t);
  (void)rc;
  if(!s)
    return;
  if(s->file >= 0)
    (void)mote_port_file_close(s->file);
  mote_mem_free(&t->account, MOTE_PART_TRANSFER, s, s->block);
  t->run->local_state = NULL;
}

const struct mote_protocol mote_protocol_file = {
  .name = "file",
  .local = true,
  .prepare = file_prepare,
  .begin = file_begin,
  .step = file_step,
  .end = file_end,
};
