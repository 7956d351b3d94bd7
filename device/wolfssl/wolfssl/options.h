/* options.h: in place of what wolfSSL's configure writes. */
#include <user_settings.h>
