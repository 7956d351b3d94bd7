/* drive.h: the three ways of driving transfers, as a program would. */
#ifndef DRIVE_H
#define DRIVE_H

struct transfer;

enum way {
  WAY_EASY,   /* curl_easy_perform, one after the other */
  WAY_POLL,   /* curl_multi_perform and curl_multi_poll, all at once */
  WAY_SOCKET, /* curl_multi_socket_action */
  WAYS
};

/* Runs all transfers to their ends. Those that cannot begin for want of memory are left as they are. */
void drive(enum way way, struct transfer *all, unsigned count);

#endif
