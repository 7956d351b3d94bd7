/* transfer/report/debug.c: delivers verbose lines and traced bytes to the debug callback or the error
 * stream. */
#include "transfer/report/debug.h"

#include <stdio.h>
#include <string.h>

#include "base/text/format.h"
#include "transfer/callback.h"
#include "transfer/transfer.h"

#define INFO_LINE 512 /* bytes of a verbose line; longer ones are cut */

/* Without a callback the stream gets info lines and heads as text, and no bodies (CURLOPT_VERBOSE(3)). */
static void default_debug(FILE *out, curl_infotype type, const char *bytes, size_t len)
{
  static const char marks[] = {'*', '<', '>'};
  if(type > CURLINFO_HEADER_OUT)
    return;
  (void)fputc(marks[type], out);
  (void)fputc(' ', out);
  (void)fwrite(bytes, 1, len, out);
}

void mote_debug_chunk(struct mote_transfer *t, curl_infotype type, const char *bytes, size_t len)
{
  curl_debug_callback fn = (curl_debug_callback)mote_opt_fn(&t->options, CURLOPT_DEBUGFUNCTION);
  if(fn) {
    struct mote_callback_guard g = mote_callback_enter(t);
    (void)fn(t->msg.easy_handle, type, (char *)(uintptr_t)bytes, len,
             mote_opt_ptr(&t->options, CURLOPT_DEBUGDATA));
    mote_callback_leave(t, g);
  }
  else {
    FILE *out = mote_opt_ptr(&t->options, CURLOPT_STDERR);
    default_debug(out ? out : stderr, type, bytes, len);
  }
}

void mote_debug_line(struct mote_transfer *t, const char *fmt, va_list args)
{
  char line[INFO_LINE];
  int made = mote_vsnprintf(line, sizeof line - 1, fmt, args);
  size_t n = made < 0 ? 0 : (size_t)made;
  line[n++] = '\n';
  line[n] = 0;
  mote_debug_chunk(t, CURLINFO_TEXT, line, n);
}
