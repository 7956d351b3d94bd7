/* auth/memory.h: the scheme that a server or proxy chose by its challenge, with the scheme's state.
 *
 * The choice is good for the place that made it; the state, in which a scheme may have a digest of the
 * password, only for the login that it was made with.
 *
 * Ownership: one block, with copies of all texts; the state is another one.
 * Tests:     tests/unit/auth/test_scheme.c */
#ifndef MOTE_AUTH_MEMORY_H
#define MOTE_AUTH_MEMORY_H

#include "base/text.h"

struct mote_account;
struct mote_auth_login;
struct mote_auth_scheme;

/* Where credentials are sent to. */
struct mote_auth_place {
  struct mote_slice host; /* as the URL or the proxy's text names it */
  uint16_t port;
  bool tls;
};

struct mote_auth_memory {
  const struct mote_auth_scheme *choice;
  void *state;              /* the choice's, or NULL */
  uint32_t host, user, password; /* bytes of the texts, which follow in this order */
  uint16_t port;
  bool tls;
  bool user_coded;
  bool password_coded;
};

/* Makes a memory without a state. NULL: out of memory. */
struct mote_auth_memory *mote_auth_memory_new(struct mote_account *account,
                                              const struct mote_auth_scheme *choice,
                                              const struct mote_auth_place *place,
                                              const struct mote_auth_login *login);
/* Frees it and the state. NULL is allowed. */
void mote_auth_memory_free(struct mote_account *account, struct mote_auth_memory *m);
/* Frees the state alone. */
void mote_auth_memory_drop_state(struct mote_account *account, struct mote_auth_memory *m);

/* Report whether the memory is of this place, and whether its state is of this login. */
bool mote_auth_memory_is_of(const struct mote_auth_memory *m, const struct mote_auth_place *place);
bool mote_auth_memory_knows(const struct mote_auth_memory *m, const struct mote_auth_login *login);

#endif
