/* tool/exec/reporter.c: preloaded by mote exec --memory, a shared object of its own.
 *
 * When a process ends in which our library has taken memory, it appends one line to the file that the
 * environment names: the program, and of each part of the library that took memory its name, allocations and
 * highest bytes, with tabs between. A process without our library leaves nothing, and nor does one that ends
 * by a signal or _exit(). The allocations that a forked process has inherited are its parent's; their bytes
 * count in both. Nothing here fails: what cannot be written is left out. */
#define _GNU_SOURCE
#include "tool/exec/exec.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <mote/mote.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LINE_SIZE 4096 /* a write of so many bytes to the end of a file is not torn */
#define PARTS_MAX 64   /* the library has 13 */

typedef int (*part_info)(int index, const char **name, struct mote_part_info *info);

/* The program's name without what separates lines and columns. */
static int reporter_name(char *line)
{
  const char *p = program_invocation_short_name;
  int n = 0;
  for(; *p && n < 64; p++)
    line[n++] = (unsigned char)*p < ' ' ? '?' : *p;
  return n;
}

/* Returns the library's function, or NULL. What an interpreter's module brings along is not among the symbols
 * of the program (RTLD_LOCAL), so the library is asked for by its names, too. */
static void *reporter_function(void)
{
  static const char names[][sizeof "libcurl-gnutls.so.4"] = {"libcurl.so.4", "libcurl-gnutls.so.4"};
  void *found = dlsym(RTLD_DEFAULT, "mote_part_info"), *library;
  size_t i;
  for(i = 0; !found && i < sizeof names / sizeof names[0]; i++) {
    library = dlopen(names[i], RTLD_LAZY | RTLD_NOLOAD);
    found = library ? dlsym(library, "mote_part_info") : NULL;
    if(library)
      dlclose(library); /* the program's own use keeps it */
  }
  return found;
}

static part_info reporter_asks(void)
{
  void *found = reporter_function();
  part_info ask;
  *(void **)&ask = found; /* as dlsym(3) has it */
  return ask;
}

/* Allocations of each part that a parent has made, which the counters of a forked process go on from. */
static size_t counted[PARTS_MAX], inherited[PARTS_MAX];

static void reporter_before_fork(void)
{
  part_info ask = reporter_asks();
  struct mote_part_info info;
  for(int i = 0; ask && i < PARTS_MAX && ask(i, NULL, &info); i++)
    counted[i] = info.calls;
}

static void reporter_in_child(void)
{
  memcpy(inherited, counted, sizeof inherited);
}

static char reporter_path[PATH_MAX]; /* of the file; "": none is asked for */

/* At the end it may be too late: PHP gives its environment back before. */
__attribute__((constructor)) static void reporter_begin(void)
{
  const char *path = getenv(EXEC_REPORT_VARIABLE);
  if(path && strlen(path) < sizeof reporter_path)
    memcpy(reporter_path, path, strlen(path));
  (void)pthread_atfork(reporter_before_fork, NULL, reporter_in_child);
}

__attribute__((destructor)) static void reporter_leave_line(void)
{
  const char *name;
  part_info ask = reporter_asks();
  struct mote_part_info info;
  char line[LINE_SIZE];
  int n = reporter_name(line), before = n, i, fd;
  if(!*reporter_path || !ask)
    return;
  for(i = 0; i < PARTS_MAX && n < LINE_SIZE - 128 && ask(i, &name, &info); i++)
    if(info.calls != inherited[i])
      n += snprintf(line + n, 128, "\t%.20s %zu %zu", name, info.calls - inherited[i], info.peak);
  fd = n > before ? open(reporter_path, O_WRONLY | O_APPEND | O_CLOEXEC) : -1;
  if(fd < 0)
    return;
  line[n++] = '\n';
  n = (int)write(fd, line, (size_t)n);
  (void)close(fd);
}
