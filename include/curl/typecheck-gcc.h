/* curl/typecheck-gcc.h: here for programs that include it by name.
 *
 * The types of option and info arguments are not checked by macros. */
#ifndef CURLINC_TYPECHECK_GCC_H
#define CURLINC_TYPECHECK_GCC_H
#endif
