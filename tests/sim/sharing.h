/* sharing.h: a share handle for the transfers of one world, with locks that see what is done wrong. */
#ifndef SHARING_H
#define SHARING_H

#include <curl/curl.h>

/* Draws whether there is one, and what is shared. NULL: nothing is. */
CURLSH *sharing_begin(void);
/* No handle uses it any more. */
void sharing_end(CURLSH *share);
/* Breaks a rule when a lock is held: in a wait, or when a callback of the application runs. */
void sharing_look(void);

#endif
