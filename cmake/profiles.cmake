# Profiles: which parts a build has. -DMOTE_PROFILE=, and -DMOTE_WITH=, -DMOTE_WITHOUT= add and take away.

mote_profile(full "everything that there is, TLS by OpenSSL" ALL WITHOUT bearssl)
mote_profile(http "HTTP and HTTPS only" ALL WITHOUT file bearssl)
