/* curl/stdcheaders.h: the standard headers that old programs expect here. */
#ifndef CURLINC_STDCHEADERS_H
#define CURLINC_STDCHEADERS_H

#include <stddef.h>
#include <stdio.h>

#endif
