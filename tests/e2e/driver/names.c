/* names.c: functions that only some libraries have, and those of what is preloaded, by their names.
 *
 * The loader finds them, where there is one. A driver that is linked with an archive (DRIVER_ARCHIVE) has no
 * loader, and the archive is of this tree, so that it has them all; nothing can be preloaded there. */
#define _GNU_SOURCE
#include "driver.h"
#include <string.h>

#ifdef DRIVER_ARCHIVE
struct named {
  const char *name;
  void (*function)(void);
};

static const struct named named[] = {
  {"curl_easy_ssls_export", (void (*)(void))curl_easy_ssls_export},
  {"curl_easy_ssls_import", (void (*)(void))curl_easy_ssls_import},
  {"curl_multi_notify_enable", (void (*)(void))curl_multi_notify_enable},
  {"curl_multi_waitfds", (void (*)(void))curl_multi_waitfds},
};

int find_function(const char *name, void *to)
{
  size_t i;
  for(i = 0; i < sizeof named / sizeof *named; i++)
    if(!strcmp(named[i].name, name)) {
      memcpy(to, &named[i].function, sizeof named[i].function);
      return 1;
    }
  return 0;
}
#else
#include <dlfcn.h>

int find_function(const char *name, void *to)
{
  void *found = dlsym(RTLD_DEFAULT, name);
  memcpy(to, &found, sizeof found);
  return found != NULL;
}
#endif
