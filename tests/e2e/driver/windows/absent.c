/* absent.c: what Windows or a build for it has not. */
#include "driver.h"
#include "torture.h"
#include <stdio.h>

/* OpenSSL, among what is loaded. */
void verify_later(struct handle *h, void *ctx, int times)
{
  (void)ctx;
  violation("the TLS library is not OpenSSL", h->name, times);
}

int zygote_serve(int fd, unsigned *seconds)
{
  (void)fd;
  (void)seconds;
  fputs("driver: Windows has no fork()\n", stderr);
  return 2;
}
