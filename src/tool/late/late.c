/* tool/late/late.c: loads the libraries below ours when one of their functions is first called.
 *
 * Most runs fetch one file over plain HTTP. Loading and binding TLS, decoders and international names would
 * take four fifths of the time of such a run, and more than half of its system calls. So the command is
 * linked with a stub for each function that the library calls in them (stubs.c). A stub jumps to the
 * function, whose address it asks mote_late_find() for the first time. The build reads the names from the
 * objects of the library and writes them into late_names.inc (cmake/late.cmake); the library itself knows
 * nothing of this.
 *
 * Errors:  a library that is absent ends the command with code 2, as the stub's caller expects no failure.
 * Threads: the stubs may be called in any; two that come first together find the same address.
 * Tests:   tests/tool/test_late.py */
#define _GNU_SOURCE
#include "tool/show/messages.h"

#include <curl/curl.h>
#include <dlfcn.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

/* ---- what the build has written ---- */

#define LATE_FUNCTION(name)
#define LATE_LIBRARY(soname, functions) { soname, functions },
static const struct {
  char soname[28];
  uint32_t functions; /* how many of the names are its own; they follow each other */
} libraries[] = {
#include "late_names.inc"
};
#undef LATE_LIBRARY
#undef LATE_FUNCTION

#define LATE_LIBRARY(soname, functions)
#define LATE_FUNCTION(name) char name[sizeof #name];
struct names {
#include "late_names.inc"
};
#undef LATE_FUNCTION

/* The names, one after the other: pointers to them would have to be relocated at each start. */
#define LATE_FUNCTION(name) #name,
static const struct names names = {
#include "late_names.inc"
};
#undef LATE_FUNCTION

enum {
#define LATE_FUNCTION(name) INDEX_##name,
#include "late_names.inc"
  FUNCTIONS
};
#undef LATE_FUNCTION

/* ---- finding ---- */

void *mote_late_found[FUNCTIONS]; /* their addresses; NULL before the first call */
void *mote_late_find(uint32_t index);

static _Noreturn void late_give_up(void)
{
  mote_cli_help("a library cannot be loaded: %s", dlerror());
  _exit(CURLE_FAILED_INIT);
}

static const char *late_name_of(uint32_t index)
{
  const char *name = (const char *)&names;
  while(index--)
    name += strlen(name) + 1;
  return name;
}

static const char *library_of(uint32_t index)
{
  size_t i;
  for(i = 0; index >= libraries[i].functions; i++)
    index -= libraries[i].functions;
  return libraries[i].soname;
}

/* Returns a function's address to its stub, and keeps it for the next call. The name is looked up as the
 * dynamic loader does it, so that a preloaded library comes first. */
void *mote_late_find(uint32_t index)
{
  void *library = dlopen(library_of(index), RTLD_LAZY | RTLD_GLOBAL);
  void *function = library ? dlsym(RTLD_DEFAULT, late_name_of(index)) : NULL;
  if(!function)
    late_give_up();
  __atomic_store_n(&mote_late_found[index], function, __ATOMIC_RELEASE);
  return function;
}
