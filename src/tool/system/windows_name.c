#include "tool/system/windows_name.h"

#include "tool/memory.h"

#include <string.h>
#include <strings.h>

bool mote_cli_windows_is_slash(char c)
{
  return c == '/' || c == '\\';
}

const char *mote_cli_windows_base_name(const char *path)
{
  const char *base = path;
  for(const char *p = path; *p; p++)
    if(mote_cli_windows_is_slash(*p) || (*p == ':' && p == path + 1))
      base = p + 1;
  return base;
}

/* Bytes of the character at p; 0: it is not UTF-8 (RFC 3629 section 4). */
static size_t windows_name_character(const unsigned char *p)
{
  size_t more;
  if(p[0] < 0x80)
    return 1;
  if(p[0] < 0xc2 || p[0] > 0xf4)
    return 0;
  more = p[0] < 0xe0 ? 1 : p[0] < 0xf0 ? 2 : 3;
  if((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] > 0x9f) || (p[0] == 0xf0 && p[1] < 0x90) ||
     (p[0] == 0xf4 && p[1] > 0x8f))
    return 0;
  for(size_t i = 1; i <= more; i++)
    if((p[i] & 0xc0) != 0x80)
      return 0;
  return more + 1;
}

static void replace_characters(char *name)
{
  unsigned char *p = (unsigned char *)name;
  while(*p) {
    const size_t n = windows_name_character(p);
    if(n < 2 && (!n || *p < 0x20 || *p == 0x7f || strchr("<>:\"/\\|?*", *p)))
      *p = '_';
    p += n ? n : 1;
  }
}

static void drop_end(char *name)
{
  size_t len = strlen(name);
  while(len && (name[len - 1] == '.' || name[len - 1] == ' '))
    len--;
  name[len] = 0;
}

/* A digit of COM1: one of ASCII or a superscript of Latin-1, which the system takes for the same. */
static bool is_port_number(const char *p, size_t len)
{
  if(len == 1)
    return *p >= '0' && *p <= '9';
  return len == 2 && (!memcmp(p, "\xc2\xb9", 2) || !memcmp(p, "\xc2\xb2", 2) || !memcmp(p, "\xc2\xb3", 2));
}

static bool is_device(const char *name)
{
  static const char *const devices[] = { "CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$", "CLOCK$" };
  size_t len = strcspn(name, ".");
  while(len && name[len - 1] == ' ')
    len--;
  for(size_t i = 0; i < sizeof devices / sizeof *devices; i++)
    if(strlen(devices[i]) == len && !strncasecmp(name, devices[i], len))
      return true;
  return len > 3 && (!strncasecmp(name, "COM", 3) || !strncasecmp(name, "LPT", 3)) &&
         is_port_number(name + 3, len - 3);
}

char *mote_cli_windows_safe_name(char *name)
{
  char *longer;
  replace_characters(name);
  drop_end(name);
  if(*name && !is_device(name))
    return name;
  longer = mote_cli_join("_", name, "");
  mote_cli_free(name);
  return longer;
}
