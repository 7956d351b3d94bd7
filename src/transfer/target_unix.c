/* transfer/target_unix.c: a Unix socket instead of the URL's host. */
#include "transfer/target.h"
#include "transfer/transfer.h"

const char *mote_target_unix(const struct mote_transfer *t)
{
  const char *path = mote_opt_str(&t->options, CURLOPT_UNIX_SOCKET_PATH);
  return path ? path : mote_opt_str(&t->options, CURLOPT_ABSTRACT_UNIX_SOCKET);
}

bool mote_target_unix_abstract(const struct mote_transfer *t)
{
  return !mote_opt_str(&t->options, CURLOPT_UNIX_SOCKET_PATH);
}
