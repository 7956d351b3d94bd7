/* mote: transfers URLs from the command line. It uses the public interface of the library alone. */
#include "tool/c_program.h"
#include "tool/exec/exec.h"
#include "tool/memory.h"
#include "tool/newer.h"
#include "tool/options/parse.h"
#include "tool/show/graph.h"
#include "tool/show/messages.h"
#include "tool/system/system.h"
#include "tool/transfers/run.h"

#include <errno.h>
#include <string.h>

/* --stderr: to a file; "-" is stdout. */
static void open_stderr(void)
{
  const char *name = mote_cli.texts[GSTR_STDERR];
  int fd;
  if(!name)
    return;
  fd = strcmp(name, "-") ? mote_cli_system_open(name, O_WRONLY | O_CREAT | O_TRUNC, 0666) : 1;
  if(fd < 0) {
    mote_cli_warn("cannot write %s: %s", name, strerror(errno));
    return;
  }
  mote_cli.err = fd;
  mote_cli.err_tty = mote_cli_system_is_terminal(fd);
}

/* --ssl-sessions: one cache for all handles, filled from the file. */
static CURLcode open_sessions(void)
{
  const char *path = mote_cli.texts[GSTR_SSL_SESSIONS];
  CURL *handle;
  CURLcode rc;
  if(!path)
    return CURLE_OK;
  handle = curl_easy_init();
  if(!handle)
    rc = CURLE_OUT_OF_MEMORY;
  else if(curl_share_setopt(mote_cli.share, CURLSHOPT_SHARE, CURL_LOCK_DATA_SSL_SESSION))
    rc = CURLE_NOT_BUILT_IN;
  else {
    rc = curl_easy_setopt(handle, CURLOPT_SHARE, mote_cli.share);
    if(!rc)
      rc = mote_cli_sessions_load(handle, path);
  }
  curl_easy_cleanup(handle);
  return rc;
}

static bool has_cookies(const struct operation *op)
{
  return mote_cli_op_find(op, CURLOPT_COOKIEFILE) || mote_cli_op_find(op, CURLOPT_COOKIEJAR);
}

/* What all transfers have in common: the cookies, and with --ssl-sessions the sessions of TLS. */
static CURLcode open_share(const struct operation *op)
{
  while(op && !has_cookies(op))
    op = op->next;
  if(!op && !mote_cli.texts[GSTR_SSL_SESSIONS])
    return CURLE_OK;
  mote_cli.share = curl_share_init();
  mote_cli.cookies = op != NULL;
  if(!mote_cli.share ||
     (op && curl_share_setopt(mote_cli.share, CURLSHOPT_SHARE, CURL_LOCK_DATA_COOKIE)))
    return CURLE_OUT_OF_MEMORY;
  return open_sessions();
}

static CURLcode main_run(struct operation *first)
{
  CURLcode rc = open_share(first);
  if(!rc && mote_cli.texts[GSTR_TRACE_CONFIG])
    rc = mote_cli_trace_config(mote_cli.texts[GSTR_TRACE_CONFIG]);
  if(rc) {
    mote_cli_error("(%d) %s", (int)rc, curl_easy_strerror(rc));
    return rc;
  }
  if(mote_cli.texts[GSTR_LIBCURL])
    rc = mote_cli_program_begin(mote_cli.texts[GSTR_LIBCURL]);
  if(!rc) {
    CURLcode written;
    rc = mote_cli_on(GLOBAL_PARALLEL) ? mote_cli_run_parallel(first) : mote_cli_run_serial(first);
    written = mote_cli_program_end();
    rc = rc ? rc : written;
  }
  if(mote_cli.share)
    curl_share_cleanup(mote_cli.share);
  return rc;
}

/* Run with --memory and --memory-graph. The exit code reports their failure unless the run has failed. */
static CURLcode watched_run(struct operation *first)
{
  CURLcode trouble = mote_cli_graph_start();
  CURLcode rc = main_run(first);
  CURLcode drawn = mote_cli_graph_end();
  if(mote_cli_on(GLOBAL_MEMORY))
    mote_cli_memory_report();
  mote_cli_graph_free();
  if(!rc)
    rc = trouble;
  return rc ? rc : drawn;
}

/* A command that was installed or linked under curl's name goes by that name. */
static void main_take_name(const char *path)
{
  const char *slash = path ? strrchr(path, '/') : NULL;
  if(path && !strcmp(slash ? slash + 1 : path, "curl"))
    mote_cli.flags |= 1UL << GLOBAL_AS_CURL;
}

int main(int argc, char **argv)
{
  struct operation first, *op;
  struct parse parse = { .first = &first, .op = &first };
  CURLcode rc;
  bool done;
  mote_cli_system_start(&argc, &argv);
  mote_cli.err_tty = mote_cli_system_is_terminal(2);
  mote_cli.out_tty = mote_cli_system_is_terminal(1);
  main_take_name(argv[0]);
  if(argc > 1 && !strcmp(argv[1], "exec") && !mote_cli_on(GLOBAL_AS_CURL))
    return mote_cli_exec(argv + 2);
  mote_cli_op_init(&first);
  rc = curl_global_init(CURL_GLOBAL_DEFAULT);
  if(rc) {
    mote_cli_error("the library cannot be initialised: %s", curl_easy_strerror(rc));
    return (int)rc;
  }
  rc = mote_cli_parse(&parse, argc, argv, &done);
  if(done)
    mote_cli_show(&parse);
  else if(!rc) {
    open_stderr();
    rc = watched_run(&first);
  }
  for(op = &first; op;) {
    struct operation *next = op->next;
    mote_cli_op_free(op);
    op = next;
  }
  curl_global_cleanup();
  mote_cli_free_kept();
  return (int)rc;
}
