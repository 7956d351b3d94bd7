/* port/path.h: the parts of a path of a file, which no port implements.
 *
 * Windows takes backslashes for slashes, and a colon ends the letter of a drive.
 *
 * Tests: tests/unit/transfer/test_mime.c, tests/tool/test_windows.py */
#ifndef MOTE_PORT_PATH_H
#define MOTE_PORT_PATH_H

#include <string.h>

#ifdef _WIN32

/* The last part of a path, which is the name of the file itself. */
static inline const char *mote_port_path_name(const char *path)
{
  const char *name = path;
  for(const char *p = path; *p; p++)
    if(*p == '/' || *p == '\\' || (*p == ':' && p == path + 1))
      name = p + 1;
  return name;
}

#else

static inline const char *mote_port_path_name(const char *path)
{
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

#endif

#endif
