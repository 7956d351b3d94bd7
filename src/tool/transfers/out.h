/* tool/transfers/out.h: text output to a descriptor, through a small buffer on the caller's stack.
 *
 * Bodies of transfers go straight to write(2), all other output goes through here. Nothing here allocates. If
 * `escape` is set (the descriptor is a terminal), mote_cli_out_safe() shows control characters as \xNN, since
 * they came from a server. What the user asked for is written unchanged.
 *
 * Errors:  a write that fails sets `failed`, and later output is dropped. EINTR and EAGAIN are retried.
 * Tests:   tests/tool/test_same_as_curl.py */
#ifndef MOTE_TOOL_TRANSFERS_OUT_H
#define MOTE_TOOL_TRANSFERS_OUT_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>

struct out {
  int fd;
  bool escape;     /* control characters of servers are escaped */
  bool failed;
  int error;       /* errno of the first failure */
  size_t len;      /* bytes in buf */
  char buf[512];
};

void mote_cli_out_init(struct out *o, int fd, bool escape);
void mote_cli_out_mem(struct out *o, const void *bytes, size_t len);
void mote_cli_out_str(struct out *o, const char *s);
void mote_cli_out_char(struct out *o, char c);
void mote_cli_out_num(struct out *o, curl_off_t n);
/* The number with at least `width` places, padded on the left with `fill`. */
void mote_cli_out_pad(struct out *o, curl_off_t n, int width, char fill);
void mote_cli_out_hex(struct out *o, unsigned long long n, int digits);
void mote_cli_out_safe(struct out *o, const char *bytes, size_t len);
void mote_cli_out_flush(struct out *o);

/* Write all bytes. Returns how many were written; fewer than all: errno has the reason. */
size_t mote_cli_write_all(int fd, const void *bytes, size_t len);

#endif
