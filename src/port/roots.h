/* port/roots.h: root certificates that the system keeps elsewhere than in a file: those of Windows.
 *
 * All other systems have a bundle or a directory of them (tls/files.c). On Windows no such file is looked
 * for: any user may make a folder /etc/ssl on a drive, and would decide which servers all others trust.
 *
 * Tests: tests/tool/test_windows.py */
#ifndef MOTE_PORT_ROOTS_H
#define MOTE_PORT_ROOTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef _WIN32

/* What stands for them where there would be the path of a bundle. No file can have this name. */
#define MOTE_PORT_ROOTS "<root certificates of Windows>"

/* Gives the certificates (DER) that the user and the machine trust as roots for servers and have not
 * excluded, one after the other, until fn returns false. The bytes are valid during the call of fn.
 * Windows adds a root of its authorities to those when a program of its own first needs it, so that some
 * may be missing. An error: the store cannot be opened. */
int mote_port_roots(bool (*fn)(void *arg, const uint8_t *der, size_t len), void *arg);

static inline bool mote_port_has_roots(void)
{
  return true;
}

static inline bool mote_port_is_roots(const char *path)
{
  return !strcmp(path, MOTE_PORT_ROOTS);
}

#else

#define MOTE_PORT_ROOTS NULL

static inline int mote_port_roots(bool (*fn)(void *arg, const uint8_t *der, size_t len), void *arg)
{
  (void)fn;
  (void)arg;
  return 0;
}

static inline bool mote_port_has_roots(void)
{
  return false;
}

static inline bool mote_port_is_roots(const char *path)
{
  (void)path;
  return false;
}

#endif

#endif
