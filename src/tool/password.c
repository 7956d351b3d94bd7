#include "tool/password.h"

#include "tool/memory.h"
#include "tool/show/messages.h"
#include "tool/system/system.h"

#include <stdio.h>
#include <string.h>

#define PASSWORD_ROOM 4096 /* bytes: what Linux lets a user type in a line, with its end */

/* A memset() of what nothing reads afterwards is left out by the compiler. */
static void password_wipe(char *secret, size_t size)
{
  volatile char *p = secret;
  while(size--)
    *p++ = 0;
}

static CURLcode password_complete(struct operation *op, int target, const char *kind)
{
  const struct value *v = mote_cli_op_find(op, target);
  char prompt[256], answer[PASSWORD_ROOM], *both;
  size_t len;
  if(!v || strchr(v->u.text, ':') || v->u.text[0] == ';')
    return CURLE_OK;
  snprintf(prompt, sizeof prompt, "Enter %s password for user '%s':", kind, v->u.text);
  mote_cli_system_ask(mote_cli.err, prompt, answer, sizeof answer);
  len = strlen(v->u.text);
  both = mote_cli_keep(len + strlen(answer) + 2);
  if(!both)
    return CURLE_OUT_OF_MEMORY;
  memcpy(both, v->u.text, len);
  both[len] = ':';
  strcpy(both + len + 1, answer);
  password_wipe(answer, sizeof answer);
  mote_cli_op_text(op, v->row, target, both);
  return CURLE_OK;
}

CURLcode mote_cli_ask_passwords(struct operation *op)
{
  CURLcode rc = CURLE_OK;
  if(!mote_cli_op_find(op, CURLOPT_XOAUTH2_BEARER))
    rc = password_complete(op, CURLOPT_USERPWD, "host");
  return rc ? rc : password_complete(op, CURLOPT_PROXYUSERPWD, "proxy");
}
