/* protocol/ftp/ftp_file.c: what is asked about a file before it moves: time, type, size, where to begin
 * (protocol/ftp/ftp.h). */
#include "codec/ftp/reply.h"
#include "connect/data/data.h"
#include "protocol/document.h"
#include "protocol/ftp/ftp.h"
#include "transfer/download/sink.h"
#include "transfer/upload/source.h"

/* No data moves. The data connection was made before this was known, and in a list of files the next one
 * gets a connection of its own. */
static CURLcode ftp_file_move_nothing(struct mote_transfer *t, struct mote_ftp *f)
{
  mote_data_close(t, &f->data);
  return mote_talk_go(&f->talk, MOTE_FTP_POSTQUOTE);
}

/* ---- time ---- */

CURLcode mote_ftp_send_mdtm(struct mote_transfer *t, struct mote_talk *talk)
{
  struct mote_ftp *f = (struct mote_ftp *)talk;
  bool wanted = mote_opt_long(&t->options, CURLOPT_FILETIME) ||
                mote_opt_long(&t->options, CURLOPT_TIMECONDITION);
  return wanted && !f->listing ? mote_ftp_send_name(t, f, "MDTM") : CURLE_OK;
}

/* A file that was modified at that very second is neither newer nor older. */
static bool ftp_file_condition_unmet(struct mote_transfer *t, int64_t time)
{
  long condition = mote_opt_long(&t->options, CURLOPT_TIMECONDITION);
  curl_off_t value = mote_opt_off(&t->options, CURLOPT_TIMEVALUE_LARGE);
  bool older = condition == CURL_TIMECOND_IFUNMODSINCE;
  if(!condition || !value || (older ? time <= value : time > value))
    return false;
  mote_info(&t->report, "The file is not %s enough", older ? "old" : "new");
  t->run->response.condition_unmet = true;
  return true;
}

/* Notes a line about the file, if it is wanted, which is delivered before the stage `next`. CURLE_OK. */
static CURLcode ftp_file_note_fact(struct mote_ftp *f, bool wanted, enum mote_document_fact fact,
                                   unsigned next)
{
  f->has_fact = wanted;
  f->fact = (uint8_t)fact;
  f->after_fact = (uint8_t)next;
  return mote_talk_go(&f->talk, wanted ? MOTE_FTP_FACT : next);
}

CURLcode mote_ftp_take_mdtm(struct mote_transfer *t, struct mote_talk *talk, const struct mote_reply *r)
{
  struct mote_ftp *f = (struct mote_ftp *)talk;
  bool wanted;
  CURLcode rc;
  if(r->code != 213 || !mote_reply_time(r->text, &f->time))
    return CURLE_OK;
  rc = mote_document_note_time(t, f->time);
  if(rc)
    return rc;
  wanted = f->head && mote_opt_long(&t->options, CURLOPT_FILETIME);
  return ftp_file_note_fact(f, wanted, MOTE_DOCUMENT_TIME,
                            ftp_file_condition_unmet(t, f->time) ? MOTE_FTP_POSTQUOTE : MOTE_FTP_PRET);
}

/* ---- lines about the file ---- */

/* Such a line is the document, too, even without CURLOPT_HEADER. The sink keeps it when the application
 * pauses. */
CURLcode mote_ftp_deliver_fact(struct mote_transfer *t, struct mote_talk *talk)
{
  struct mote_ftp *f = (struct mote_ftp *)talk;
  CURLcode rc = t->run->flow.recv.paused ? CURLE_AGAIN : mote_sink_resume(t);
  char line[MOTE_DOCUMENT_LINE];
  size_t len;
  if(rc)
    return rc;
  len = mote_document_line(line, f->fact, f->fact == MOTE_DOCUMENT_TIME ? f->time : f->size);
  if(len && f->has_fact)
    rc = mote_sink_call_both(t, line, len);
  f->has_fact = false;
  return rc ? rc : mote_talk_go(talk, f->after_fact);
}

/* ---- a part of the file ---- */

/* False: it is no range. */
static bool ftp_file_read_range(const struct mote_transfer *t, curl_off_t *from, curl_off_t *last)
{
  const char *text = mote_opt_str(&t->options, CURLOPT_RANGE);
  curl_off_t a, b;
  if(!text)
    return true;
  if(!mote_document_range(text, &a, &b) || (a >= 0 && b >= 0 && b < a) || (a < 0 && !b))
    return false;
  *from = a >= 0 ? a : b > 0 ? -b : 0;
  *last = a >= 0 ? b : -1;
  return true;
}

/* A list has no places that a server could begin at, so that only the length of a range counts for it. */
static void cut_list(curl_off_t *from, curl_off_t *last)
{
  if(*from < 0)
    *last = -*from - 1;
  else if(*last >= 0)
    *last -= *from;
  *from = 0;
}

/* ---- type ---- */

/* What is no range asks for nothing, as in libcurl. */
static bool asks_for_nothing(const struct mote_transfer *t, const struct mote_ftp *f)
{
  curl_off_t from, last;
  return !f->upload && !f->head && MOTE_OPT_MAYBE(&t->options, CURLOPT_RANGE) &&
         !mote_opt_off(&t->options, CURLOPT_RESUME_FROM_LARGE) && !ftp_file_read_range(t, &from, &last);
}

/* Facts alone are asked for first. */
static CURLcode after_type(struct mote_ftp *f)
{
  return mote_talk_go(&f->talk, f->head ? MOTE_FTP_SIZE : MOTE_FTP_PREQUOTE);
}

CURLcode mote_ftp_send_type(struct mote_transfer *t, struct mote_talk *talk)
{
  struct mote_ftp *f = (struct mote_ftp *)talk;
  if(asks_for_nothing(t, f))
    return ftp_file_move_nothing(t, f);
  if(f->head && f->listing)
    return CURLE_OK;
  if(f->type == f->wanted)
    return after_type(f);
  return mote_talk_say(t, talk, f->wanted == 'A' ? "TYPE A" : "TYPE I");
}

CURLcode mote_ftp_take_type(struct mote_transfer *t, struct mote_talk *talk, const struct mote_reply *r)
{
  struct mote_ftp *f = (struct mote_ftp *)talk;
  if(r->code / 100 != 2)
    return mote_ftp_refused(t, talk, CURLE_FTP_COULDNT_SET_TYPE, r);
  f->type = f->wanted;
  return after_type(f);
}

/* ---- where to begin ---- */

/* An upload goes on after what the server has. */
static CURLcode upload_begin(struct mote_transfer *t, struct mote_ftp *f)
{
  curl_off_t from = mote_opt_off(&t->options, CURLOPT_RESUME_FROM_LARGE);
  curl_off_t size = t->run->body ? mote_source_size(t) : -1;
  CURLcode rc;
  if(from < 0)
    from = f->size > 0 ? f->size : 0;
  f->from = from;
  if(from && size >= 0 && size <= from) {
    mote_info(&t->report, "The server has all of the file already");
    return ftp_file_move_nothing(t, f);
  }
  mote_request_announce(&t->run->request, size >= 0 ? size - from : -1);
  rc = mote_source_skip(t, from);
  if(rc == CURLE_READ_ERROR)
    return mote_talk_failed(t, CURLE_FTP_COULDNT_USE_REST, "The application cannot begin there");
  return rc ? rc : mote_talk_go(&f->talk, MOTE_FTP_MOVE);
}

static CURLcode ftp_file_bad_range(struct mote_transfer *t, struct mote_ftp *f)
{
  f->talk.at_rest = true;
  return mote_talk_failed(t, CURLE_BAD_DOWNLOAD_RESUME, "The file does not have that part");
}

/* Sets what is skipped and how much comes then. The size is known, or 'from' is not below 0. A file that is
 * made while it is read has the size 0, and bytes nevertheless. */
static void ftp_file_set_part(struct mote_ftp *f, curl_off_t from, curl_off_t last)
{
  curl_off_t rest = f->size > 0 ? f->size - from : -1;
  f->from = from;
  f->left = rest;
  if(last >= from && (rest < 0 || last - from + 1 < rest))
    f->left = last - from + 1;
}

/* CURLOPT_RESUME_FROM takes precedence over CURLOPT_RANGE, but is for files alone. Below 0 it counts from
 * the end. */
static CURLcode range_begin(struct mote_transfer *t, struct mote_ftp *f)
{
  curl_off_t from = f->listing ? 0 : mote_opt_off(&t->options, CURLOPT_RESUME_FROM_LARGE), last = -1;
  curl_off_t most = mote_opt_off(&t->options, CURLOPT_MAXFILESIZE_LARGE);
  bool resume = from != 0;
  if(!resume && ftp_file_read_range(t, &from, &last) && f->listing)
    cut_list(&from, &last);
  if(most > 0 && f->size > most) {
    f->talk.at_rest = true;
    return mote_talk_failed(t, CURLE_FILESIZE_EXCEEDED, "The file is larger than CURLOPT_MAXFILESIZE allows");
  }
  if((from < 0 && (f->size < 0 || from < -f->size)) || (f->size >= 0 && from > f->size))
    return ftp_file_bad_range(t, f);
  f->cut = !resume && (from < 0 || last >= 0);
  if(from < 0)
    from += f->size;
  ftp_file_set_part(f, from, last);
  if(f->from && !f->left) {
    mote_info(&t->report, "The file has no more than that");
    f->cut = false;
    return ftp_file_move_nothing(t, f);
  }
  return f->from ? CURLE_OK : mote_talk_go(&f->talk, MOTE_FTP_MOVE);
}

CURLcode mote_ftp_choose_part(struct mote_transfer *t, struct mote_talk *talk)
{
  struct mote_ftp *f = (struct mote_ftp *)talk;
  return f->upload ? upload_begin(t, f) : range_begin(t, f);
}

void mote_ftp_read_size(const struct mote_transfer *t, struct mote_ftp *f, struct mote_slice text)
{
  size_t at = text.len, digits;
  uint64_t size;
  if(f->size > 0 || f->wanted != 'I' || mote_opt_long(&t->options, CURLOPT_IGNORE_CONTENT_LENGTH))
    return;
  while(at && text.ptr[at - 1] != '(')
    at--;
  mote_slice_skip(&text, at);
  if(at && mote_parse_dec_prefix(text, INT64_MAX, &size, &digits) && text.len - digits >= 6 &&
     mote_equal_nocase_n(text.ptr + digits, " bytes", 6)) {
    f->size = (curl_off_t)size;
    ftp_file_set_part(f, 0, f->left >= 0 ? f->left - 1 : -1);
  }
}

/* ---- size ---- */

/* The size of text on the wire is another one, and a file may grow (CURLOPT_IGNORE_CONTENT_LENGTH(3)). */
CURLcode mote_ftp_send_size(struct mote_transfer *t, struct mote_talk *talk)
{
  struct mote_ftp *f = (struct mote_ftp *)talk;
  bool wanted = f->upload ? mote_opt_off(&t->options, CURLOPT_RESUME_FROM_LARGE) < 0
                          : f->head || (!f->listing && f->size < 0 && f->wanted == 'I' &&
                                        !mote_opt_long(&t->options, CURLOPT_IGNORE_CONTENT_LENGTH));
  if(f->list && f->listing)
    return mote_talk_go(talk, MOTE_FTP_MOVE);
  return wanted ? mote_ftp_send_name(t, f, "SIZE") : CURLE_OK;
}

CURLcode mote_ftp_take_size(struct mote_transfer *t, struct mote_talk *talk, const struct mote_reply *r)
{
  struct mote_ftp *f = (struct mote_ftp *)talk;
  int64_t size;
  if(r->code == 213 && mote_reply_size(r->text, &size))
    f->size = size;
  else if(r->code == 550 && !f->upload)
    return mote_ftp_refused(t, talk, CURLE_REMOTE_FILE_NOT_FOUND, r);
  if(!f->head)
    return CURLE_OK;
  if(f->size >= 0)
    mote_response_announce(&t->run->response, f->size);
  return ftp_file_note_fact(f, f->size >= 0, MOTE_DOCUMENT_LENGTH, MOTE_FTP_REST);
}

CURLcode mote_ftp_send_rest(struct mote_transfer *t, struct mote_talk *talk)
{
  char text[24];
  struct mote_slice word = {text, mote_print_dec(text, (uint64_t)((struct mote_ftp *)talk)->from)};
  return mote_talk_say_word(t, talk, "REST", word, false);
}

CURLcode mote_ftp_take_rest(struct mote_transfer *t, struct mote_talk *talk, const struct mote_reply *r)
{
  struct mote_ftp *f = (struct mote_ftp *)talk;
  if(f->head)
    return ftp_file_note_fact(f, r->code == 350, MOTE_DOCUMENT_RANGES, MOTE_FTP_PREQUOTE);
  return r->code == 350 ? CURLE_OK : mote_talk_refused(t, talk, CURLE_FTP_COULDNT_USE_REST, r);
}
