/* tls/common_alert.c: alerts in words, for libraries that speak TLS 1.2. */
#include <stddef.h>
#include <stdint.h>

#include "tls/common.h"

static const struct {
  uint8_t alert;
  const char *text;
} alerts[] = {
  {0, "close_notify"},
  {10, "unexpected message"},
  {20, "bad record MAC"},
  {22, "record overflow"},
  {40, "handshake failure (no suite in common, or a client certificate is missing)"},
  {42, "bad certificate"},
  {43, "unsupported certificate"},
  {44, "certificate revoked"},
  {45, "certificate expired"},
  {46, "certificate unknown"},
  {47, "illegal parameter"},
  {48, "unknown CA"},
  {49, "access denied"},
  {50, "decode error"},
  {51, "decrypt error"},
  {70, "protocol version (this library speaks TLS 1.2 only)"},
  {71, "insufficient security"},
  {80, "internal error"},
  {112, "unrecognized name"},
  {120, "no application protocol"},
};

const char *mote_tls_alert_text(int alert)
{
  size_t i;
  for(i = 0; i < sizeof alerts / sizeof *alerts; i++)
    if(alerts[i].alert == alert)
      return alerts[i].text;
  return "alert";
}
