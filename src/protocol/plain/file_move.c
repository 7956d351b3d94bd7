/* protocol/plain/file_move.c: delivers a file (generated header lines, then chunks through the multi's
 * buffer) and writes an upload.
 *
 * A step moves a few chunks and asks for another step (mote_transfer_wake), so that other transfers get their
 * turn. Regular files never block. The read of a pipe or device blocks until it has something to give.
 * The document of a directory is the list of its names, one per line. */
#include "port/file.h"
#include "port/port.h"
#include "protocol/document.h"
#include "protocol/plain/file.h"
#include "transfer/download/sink.h"
#include "transfer/multi/schedule.h"
#include "transfer/report/progress.h"
#include "transfer/upload/source.h"

#define CHUNKS_PER_STEP 16 /* then other transfers get their turn */

CURLcode mote_file_failed(struct mote_transfer *t, CURLcode rc, const char *what, int err)
{
  char why[80];
  t->run->stats.os_errno = (uint16_t)err;
  (void)mote_port_error_text(err, why, sizeof why);
  return mote_fail_as(rc, &t->report, "Couldn't %s file %s: %s", what, mote_file_path(mote_file_of(t)), why);
}

CURLcode mote_file_finish_upload(struct mote_transfer *t, struct mote_file *s)
{
  int err = mote_port_file_close(s->file);
  s->file = -1;
  s->stage = MOTE_FILE_STAGE_DONE;
  mote_mark_set(&t->run->stats, MOTE_MARK_POSTTRANSFER, mote_port_now());
  return err ? mote_file_failed(t, CURLE_SEND_ERROR, "write", err) : CURLE_OK;
}

/* Delivers one header line. The stage advances even when the application pauses, because the sink keeps the
 * line. */
static CURLcode file_move_deliver_line(struct mote_transfer *t, struct mote_file *s)
{
  char line[MOTE_DOCUMENT_LINE] = "\r\n";
  size_t len = 2;
  if(s->stage == MOTE_FILE_STAGE_LENGTH)
    len = mote_document_line(line, MOTE_DOCUMENT_LENGTH, s->size);
  else if(s->stage == MOTE_FILE_STAGE_RANGES)
    len = mote_document_line(line, MOTE_DOCUMENT_RANGES, 0);
  else if(s->stage == MOTE_FILE_STAGE_MODIFIED)
    len = mote_document_line(line, MOTE_DOCUMENT_TIME, s->modified);
  s->stage++;
  if(t->run->request.method == MOTE_METHOD_HEAD && s->stage == MOTE_FILE_STAGE_READ)
    s->stage = MOTE_FILE_STAGE_DONE;
  return len ? mote_sink_meta(t, line, len) : CURLE_OK;
}

/* For a directory the platform delivers whole names only, in a piece that may be larger than `most`. Names
 * beyond the requested range are dropped here. */
static int read_some(struct mote_file *s, char *buffer, size_t most, size_t *n)
{
  int err;
  if(!s->directory)
    return mote_port_file_read(s->file, buffer, most, n);
  err = mote_port_directory_read(s->file, buffer, most < MOTE_DIRECTORY_ROOM ? MOTE_DIRECTORY_ROOM : most, n);
  if(s->bounded && s->left < (curl_off_t)*n)
    *n = (size_t)s->left;
  return err;
}

/* Reads no more than one call of the write callback may get, as that is what a pause keeps. */
static CURLcode read_chunk(struct mote_transfer *t, struct mote_file *s, mote_time now)
{
  struct mote_run *r = t->run;
  uint32_t size = (uint32_t)mote_opt_long(&t->options, CURLOPT_BUFFERSIZE);
  size_t most = size < CURL_MAX_WRITE_SIZE ? size : CURL_MAX_WRITE_SIZE, n, used;
  char *buffer;
  CURLcode rc;
  int err;
  if(s->bounded && s->left < (curl_off_t)most)
    most = (size_t)s->left;
  if(most) {
    most = mote_speed_allow_down(t, now, most);
    if(!most)
      return CURLE_AGAIN;
  }
  buffer = mote_schedule_buffer(t->multi, size);
  if(!buffer)
    return CURLE_OUT_OF_MEMORY;
  err = most ? read_some(s, buffer, most, &n) : 0;
  if(err)
    return mote_file_failed(t, CURLE_FILE_COULDNT_READ_FILE, "read", err);
  if(!most || !n) { /* the end, also of a file that has shrunk or misreports its size */
    s->stage = MOTE_FILE_STAGE_DONE;
    return CURLE_OK;
  }
  s->left -= (curl_off_t)n;
  mote_mark_response(&r->stats, now);
  mote_response_arrive(&r->response);
  mote_speed_passed_down(t, n);
  rc = mote_sink_body(t, buffer, n, &used);
  return rc == CURLE_AGAIN ? mote_sink_keep_rest(t, buffer, n, used) : rc;
}

static CURLcode write_chunk(struct mote_transfer *t, struct mote_file *s, mote_time now)
{
  struct mote_run *r = t->run;
  uint32_t size = (uint32_t)mote_opt_long(&t->options, CURLOPT_BUFFERSIZE);
  struct mote_piece p;
  CURLcode rc;
  int err;
  p.most = mote_speed_allow_up(t, now, size);
  if(!p.most)
    return CURLE_AGAIN;
  p.room = mote_schedule_buffer(t->multi, size);
  if(!p.room)
    return CURLE_OUT_OF_MEMORY;
  rc = mote_source_read(t, &p);
  if(rc)
    return rc;
  if(!p.len)
    return p.end ? mote_file_finish_upload(t, s) : CURLE_OK;
  mote_response_arrive(&r->response);
  if((curl_off_t)p.len <= s->skip) {
    s->skip -= (curl_off_t)p.len;
    return CURLE_OK;
  }
  p.bytes += s->skip;
  p.len -= (size_t)s->skip;
  s->skip = 0;
  err = mote_port_file_write(s->file, p.bytes, p.len);
  if(err)
    return mote_file_failed(t, CURLE_SEND_ERROR, "write", err);
  r->stats.bytes_up += (curl_off_t)p.len;
  mote_speed_passed_up(t, p.len);
  return CURLE_OK;
}

static CURLcode one_move(struct mote_transfer *t, struct mote_file *s, mote_time now)
{
  if(s->stage == MOTE_FILE_STAGE_WRITE)
    return t->run->flow.send.paused ? CURLE_AGAIN : write_chunk(t, s, now);
  if(t->run->flow.recv.paused)
    return CURLE_AGAIN;
  return s->stage == MOTE_FILE_STAGE_READ ? read_chunk(t, s, now) : file_move_deliver_line(t, s);
}

CURLcode mote_file_step(struct mote_transfer *t, mote_time now)
{
  struct mote_file *s = mote_file_of(t);
  CURLcode rc = t->run->flow.recv.paused ? CURLE_AGAIN : mote_sink_resume(t);
  int moves;
  for(moves = 0; !rc && s->stage != MOTE_FILE_STAGE_DONE; moves++) {
    if(moves == CHUNKS_PER_STEP) {
      mote_transfer_wake(t);
      return CURLE_AGAIN;
    }
    rc = one_move(t, s, now);
  }
  return rc;
}
