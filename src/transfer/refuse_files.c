/* transfer/refuse_files.c: checks files whose contents would go into a request (transfer/refuse.h). */
#include <string.h>

#include "base/format.h"
#include "base/report.h"
#include "port/env.h"
#include "port/file.h"
#include "transfer/refuse.h"
#include "transfer/transfer.h"

#define PATH_MAX_BYTES 1024 /* bytes of the path of the home folder's netrc; a longer one counts as present */

static bool exists(const char *path)
{
  struct mote_file_info info;
  return !mote_port_path_info(path, &info) && !info.directory;
}

/* Finds the netrc file. False: there is none. */
static bool find_netrc(struct mote_transfer *t, char *path, size_t size)
{
  const char *named = mote_opt_str(&t->options, CURLOPT_NETRC_FILE);
  const char *home = mote_port_getenv("HOME");
  int len;
  if(named && *named)
    len = mote_snprintf(path, size, "%s", named);
  else if(home)
    len = mote_snprintf(path, size, "%s/.netrc", home);
  else
    return false;
  return len >= (int)size - 1 || exists(path);
}

/* With CURL_NETRC_OPTIONAL the file is not needed when user and password are known (CURLOPT_NETRC(3)). */
static bool needs_netrc(struct mote_transfer *t, long mode)
{
  struct mote_slice user = {NULL, 0}, password = {NULL, 0};
  if(mode == CURL_NETRC_IGNORED)
    return false;
  if(mode == CURL_NETRC_REQUIRED)
    return true;
  if(mote_opt_str(&t->options, CURLOPT_USERNAME) && mote_opt_str(&t->options, CURLOPT_PASSWORD))
    return false;
  return !mote_url_packed_login(&t->run->request.url, &user, &password) || !user.len || !password.len;
}

static CURLcode judge_netrc(struct mote_transfer *t)
{
  long mode = mote_opt_long(&t->options, CURLOPT_NETRC);
  char path[PATH_MAX_BYTES] = "";
  if(!needs_netrc(t, mode))
    return CURLE_OK;
  if(find_netrc(t, path, sizeof path)) {
    mote_fail(&t->report, "This build has no netrc, and \"%s\" may have a password for this URL", path);
    return CURLE_NOT_BUILT_IN;
  }
  if(mode != CURL_NETRC_REQUIRED)
    return CURLE_OK;
  mote_fail(&t->report, "The netrc file \"%s\" is required, and is not there", path);
  return CURLE_READ_ERROR;
}

CURLcode mote_refuse_files(struct mote_transfer *t)
{
  return judge_netrc(t);
}
