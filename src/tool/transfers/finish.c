#include "tool/transfers/finish.h"

#include "tool/memory.h"
#include "tool/show/messages.h"
#include "tool/show/writeout.h"
#include "tool/system/system.h"
#include "tool/transfers/resume.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define FIRST_DELAY 1000      /* ms */
#define LONGEST_DELAY 600000  /* ms, as curl(1) says */
#define LONGEST_AFTER 86400   /* s: a longer Retry-After is shortened to this */

static void close_fd(int *fd)
{
  if(*fd > 2 && *fd != mote_cli.err) /* "%" with --stderr */
    close(*fd);
  *fd = -1;
}

static void close_input(struct transfer *t)
{
  if(t->in_file) {
    fclose(t->in_file);
    t->in_fd = -1;
  }
  t->in_file = NULL;
  close_fd(&t->in_fd);
}

void mote_cli_transfer_close(struct transfer *t)
{
  close_input(t);
  close_fd(&t->head_fd);
  close_fd(&t->etag_fd);
  close_fd(&t->out_fd);
  mote_cli_free(t->url_owned);
  mote_cli_free(t->out_owned);
  mote_cli_free(t->in_owned);
  mote_cli_free(t->held);
  curl_mime_free(t->mime);
  t->held = NULL;
  t->held_len = 0;
  t->url = t->out_name = t->in_name = NULL;
  t->url_owned = t->out_owned = t->in_owned = NULL;
  t->mime = NULL;
}

/* Reports whether the response code is HTTP's, of whatever scheme the URL is, and not FTP's or a mail
 * server's. */
static bool has_http_code(const struct transfer *t)
{
  long version = 0;
  curl_easy_getinfo(t->handle, CURLINFO_HTTP_VERSION, &version);
  return version != 0;
}

/* --fail-with-body: the transfer has failed although its body was saved. */
static CURLcode http_failure(struct transfer *t, CURLcode code)
{
  long response = 0;
  if(code || !mote_cli_op_flag(t->op, FLAG_FAIL_BODY))
    return code;
  curl_easy_getinfo(t->handle, CURLINFO_RESPONSE_CODE, &response);
  if(response < 400 || !has_http_code(t))
    return CURLE_OK;
  snprintf(t->error, sizeof t->error, "The requested URL returned error: %ld", response);
  return CURLE_HTTP_RETURNED_ERROR;
}

void mote_cli_report_failure(const struct transfer *t, CURLcode code)
{
  if(t->trouble.what)
    mote_cli_error("(%d) cannot %s %s: %s", (int)code, t->trouble.what, t->trouble.name,
                   strerror(t->trouble.error));
  else if(t->out_kept_back)
    mote_cli_error("(%d) the body is binary and was kept from the terminal, which it could leave unusable; "
                   "\"--output <file>\" saves it, \"--output -\" shows it all the same", (int)code);
  else
    mote_cli_error("(%d) %s", (int)code, t->error[0] ? t->error : curl_easy_strerror(code));
  if(code == CURLE_PEER_FAILED_VERIFICATION && !mote_cli_on(GLOBAL_SILENT))
    mote_cli_error("The server's certificate was not verified, so the transfer was not done. --cacert names "
                   "other CA certificates; --insecure goes on without verification.");
}

CURLcode mote_cli_give_up(struct transfer *t, CURLcode code)
{
  if(t->trouble.what || code == CURLE_OUT_OF_MEMORY || code == CURLE_URL_MALFORMAT)
    mote_cli_report_failure(t, code);
  if(t->url)
    mote_cli_writeout(t, code);
  mote_cli_transfer_close(t);
  return code;
}

/* The library accepts some options that this build lacks and refuses the transfer that needs them. For the
 * user these are refused options like any other, with the same exit code. */
static CURLcode refused_option(const struct transfer *t, CURLcode code)
{
  static const int late[] = { CURLOPT_PROXY, CURLOPT_PRE_PROXY, SLOT_FORM, SLOT_NETRC };
  for(size_t i = 0; code == CURLE_NOT_BUILT_IN && i < sizeof late / sizeof late[0]; i++)
    if(mote_cli_op_find(t->op, late[i]))
      code = CURLE_FAILED_INIT;
  return code;
}

/* ---- --retry: which failures pass, how long to wait, whether to resume ---- */

/* The last two are those of a proxy network whose origin server does not answer in time; curl(1) has them. */
static bool transient_status(long status)
{
  static const short all[] = { 408, 429, 500, 502, 503, 504, 522, 524 };
  for(size_t i = 0; i < sizeof all / sizeof all[0]; i++)
    if(status == all[i])
      return true;
  return false;
}

static long response_code(const struct transfer *t)
{
  long status = 0;
  curl_easy_getinfo(t->handle, CURLINFO_RESPONSE_CODE, &status);
  return status;
}

/* A reply of FTP that says that the same command may work later (RFC 959 section 4.2.1). */
static bool transient_reply(const struct transfer *t)
{
  const char *scheme = NULL;
  curl_easy_getinfo(t->handle, CURLINFO_SCHEME, &scheme);
  return scheme && !strncasecmp(scheme, "ftp", 3) && response_code(t) / 100 == 4;
}

/* The reason to retry; NULL: there is none. */
static const char *transfers_finish_reason(const struct transfer *t, CURLcode code)
{
  long error = 0;
  if(mote_cli_is_replaced(t, code))
    return "the document cannot be resumed";
  if(code == CURLE_OPERATION_TIMEDOUT || code == CURLE_COULDNT_RESOLVE_HOST ||
     code == CURLE_COULDNT_RESOLVE_PROXY)
    return "a timeout or a name that was not found";
  if(code == CURLE_COULDNT_CONNECT && mote_cli_op_flag(t->op, FLAG_RETRY_REFUSED)) {
    curl_easy_getinfo(t->handle, CURLINFO_OS_ERRNO, &error);
    if(error == ECONNREFUSED)
      return "connection refused";
  }
  if((!code || code == CURLE_HTTP_RETURNED_ERROR) && has_http_code(t) && transient_status(response_code(t)))
    return "HTTP error";
  if(code && transient_reply(t))
    return "FTP error";
  if(code && mote_cli_op_flag(t->op, FLAG_RETRY_ALL))
    return "an error (--retry-all-errors)";
  return NULL;
}

/* Make the output ready for the next try. */
static CURLcode transfers_finish_prepare(struct transfer *t, CURLcode code)
{
  CURLcode rc = CURLE_OK;
  if(mote_cli_may_resume(t, code)) {
    if(!t->retry.resume)
      t->retry.first_from = t->resume_from;
    t->retry.resume = true;
    t->resume_from += t->out_bytes;
  }
  else if(!t->retry.resume || !mote_cli_continues(t) || mote_cli_is_replaced(t, code)) {
    /* Otherwise, what was not the rest was not written. */
    if(t->retry.resume) {
      /* The whole file will be sent again, so that what earlier tries wrote is dropped. */
      t->out_bytes += t->resume_from - t->retry.first_from;
      t->resume_from = t->retry.first_from;
      t->retry.resume = false;
      t->out_body = true;
    }
    rc = mote_cli_sink_rewind(t);
  }
  return rc;
}

/* Milliseconds to wait. *too_long: the server asks for more than --retry-max-time leaves. */
static curl_off_t pause_for(struct transfer *t, bool *too_long)
{
  curl_off_t after = 0, delay = t->retry.delay ? t->retry.delay : FIRST_DELAY;
  curl_off_t longest = mote_cli_op_get_number(t->op, SLOT_RETRY_MAX_TIME, 0);
  *too_long = false;
  curl_easy_getinfo(t->handle, CURLINFO_RETRY_AFTER, &after);
  if(after > 0) {
    delay = after > LONGEST_AFTER ? (curl_off_t)LONGEST_AFTER * 1000 : after * 1000;
    *too_long = longest && (mote_cli_now() - t->retry.first_at) / 1000 + delay > longest;
  }
  return delay;
}

static bool transfers_finish_retry(struct transfer *t, CURLcode *code, curl_off_t *wait_ms)
{
  curl_off_t longest = mote_cli_op_get_number(t->op, SLOT_RETRY_MAX_TIME, 0);
  const char *why = transfers_finish_reason(t, *code);
  bool too_long;
  CURLcode rc;
  if(!why || (longest && (mote_cli_now() - t->retry.first_at) / 1000 >= longest))
    return false;
  if(mote_cli_upload_is_gone(t)) {
    mote_cli_warn("%s: no retry, since what was read from %s cannot be sent again", why,
                  t->in_name ? t->in_name : t->op->post.file);
    return false;
  }
  *wait_ms = pause_for(t, &too_long);
  if(too_long) {
    mote_cli_warn("the server asks to retry later than --retry-max-time allows");
    return false;
  }
  if(!mote_cli_op_get_number(t->op, SLOT_RETRY_DELAY, 0))
    t->retry.delay = *wait_ms * 2 > LONGEST_DELAY ? LONGEST_DELAY : *wait_ms * 2;
  t->retry.left--;
  t->retry.count++;
  mote_cli_meter_finish(t);
  if(*code)
    mote_cli_report_failure(t, *code);
  mote_cli_warn("%s: next try in %lld.%03lld seconds, %lld %s left", why,
                (long long)(*wait_ms / 1000), (long long)(*wait_ms % 1000), (long long)t->retry.left,
                t->retry.left == 1 ? "retry" : "retries");
  rc = transfers_finish_prepare(t, *code);
  if(rc) {
    *code = rc;
    return false;
  }
  return true;
}

/* ---- the end ---- */

/* An ETag that the file of --etag-save has from an earlier document is not this one's. A pipe, stdout and
 * stderr keep what was written to them. */
static void drop_old_etag(const struct transfer *t)
{
  struct curl_header *etag;
  CURLHcode rc;
  if(t->etag_fd <= 2 || t->etag_fd == mote_cli.err || !has_http_code(t) || response_code(t) / 100 != 2)
    return;
  rc = curl_easy_header(t->handle, "ETag", 0, CURLH_HEADER, -1, &etag);
  if((rc == CURLHE_MISSING || rc == CURLHE_NOHEADERS) && ftruncate(t->etag_fd, 0))
    errno = 0;
}

CURLcode mote_cli_finish(struct transfer *t, CURLcode code, bool *again, curl_off_t *wait_ms)
{
  CURLcode trouble = CURLE_OK;
  if(code && t->failed)
    code = t->failed;
  code = refused_option(t, mote_cli_resume_failure(t, http_failure(t, code)));
  *again = t->retry.left > 0 && transfers_finish_retry(t, &code, wait_ms);
  if(*again)
    return code;
  mote_cli_meter_finish(t);
  drop_old_etag(t);
  if(code)
    mote_cli_report_failure(t, code);
  trouble = mote_cli_sink_finish(t, code);
  if(trouble != code) {
    code = trouble;
    mote_cli_report_failure(t, code);
  }
  mote_cli_writeout(t, code);
  if(mote_cli_op_find(t->op, CURLOPT_COOKIEJAR))
    curl_easy_setopt(t->handle, CURLOPT_COOKIELIST, "FLUSH"); /* --verbose shows a failure */
  mote_cli_transfer_close(t);
  return code;
}
