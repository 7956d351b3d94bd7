/* http1_server.h: a scripted server of HTTP/1.1. The path "/3/1" asks for hop 1 of transfer 3, whose plan
 * says what is answered.
 *
 * The server is strict: a request that HTTP/1.1 does not allow, bytes that belong to no request, or an
 * upload that differs from its pattern break a rule. */
#ifndef HTTP1_SERVER_H
#define HTTP1_SERVER_H

struct mote_sim_service;

extern const struct mote_sim_service http1_server;

#endif
