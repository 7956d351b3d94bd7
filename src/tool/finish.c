#include "tool/finish.h"

#include "tool/memory.h"
#include "tool/say.h"
#include "tool/writeout.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

curl_off_t mote_cli_now(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (curl_off_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static void close_fd(int *fd)
{
  if(*fd > 2)
    close(*fd);
  *fd = -1;
}

void mote_cli_transfer_close(struct transfer *t)
{
  close_fd(&t->in_fd);
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

/* --fail-with-body: the body was taken, the transfer has failed all the same. */
static CURLcode http_failure(struct transfer *t, CURLcode code)
{
  long response = 0;
  if(code || !mote_cli_op_flag(t->op, FLAG_FAIL_BODY))
    return code;
  curl_easy_getinfo(t->handle, CURLINFO_RESPONSE_CODE, &response);
  if(response < 400)
    return CURLE_OK;
  snprintf(t->error, sizeof t->error, "The requested URL returned error: %ld", response);
  return CURLE_HTTP_RETURNED_ERROR;
}

void mote_cli_tell(const struct transfer *t, CURLcode code)
{
  if(t->trouble.what)
    mote_cli_error("(%d) cannot %s %s: %s", (int)code, t->trouble.what, t->trouble.name,
                   strerror(t->trouble.error));
  else
    mote_cli_error("(%d) %s", (int)code, t->error[0] ? t->error : curl_easy_strerror(code));
  if(code == CURLE_PEER_FAILED_VERIFICATION && !mote_cli_on(GLOBAL_SILENT))
    mote_cli_error("The server's certificate was not verified, so the transfer was not done. --cacert names "
                   "other CA certificates; --insecure goes on without verification.");
}

CURLcode mote_cli_give_up(struct transfer *t, CURLcode code)
{
  if(t->trouble.what || code == CURLE_OUT_OF_MEMORY || code == CURLE_URL_MALFORMAT)
    mote_cli_tell(t, code);
  mote_cli_transfer_close(t);
  return code;
}

/* The library takes some options that this build lacks, and refuses the transfer that needs them. For the
 * command's user these are refused options like any other. */
static CURLcode refused_option(const struct transfer *t, CURLcode code)
{
  static const int late[] = { CURLOPT_PROXY, CURLOPT_PRE_PROXY, SLOT_FORM, SLOT_NETRC, CURLOPT_COOKIEFILE };
  for(size_t i = 0; code == CURLE_NOT_BUILT_IN && i < sizeof late / sizeof late[0]; i++)
    if(mote_cli_op_find(t->op, late[i]))
      code = CURLE_FAILED_INIT;
  return code;
}

CURLcode mote_cli_finish(struct transfer *t, CURLcode code, bool *again, curl_off_t *wait_ms)
{
  CURLcode trouble = CURLE_OK;
  if(code && t->failed)
    code = t->failed;
  code = refused_option(t, http_failure(t, code));
  *again = t->retry.left > 0 && mote_cli_retry(t, &code, wait_ms);
  if(*again)
    return code;
  mote_cli_meter_finish(t);
  if(code)
    mote_cli_tell(t, code);
  trouble = mote_cli_sink_finish(t, code);
  if(trouble != code) {
    code = trouble;
    mote_cli_tell(t, code);
  }
  mote_cli_writeout(t, code);
  mote_cli_transfer_close(t);
  return code;
}
