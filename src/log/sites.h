/* log/sites.h: notes where the library asks the memory seam or the port for a service; the log build
 * includes it in front of every file of the library but those that give the services. */
#ifndef MOTE_LOG_SITES_H
#define MOTE_LOG_SITES_H

#include "base/memory.h"
#include "port/burst.h"
#include "port/datagram.h"
#include "port/env.h"
#include "port/file.h"
#include "port/interface.h"
#include "port/listen.h"
#include "port/port.h"
#include "port/sendfile.h"
#include "port/set.h"
#include "port/thread.h"
#include "port/unix.h"
#include "port/wake.h"

void mote_log_site(const char *file, int line);

#define MOTE_LOG_SITE(name, ...) (mote_log_site(__FILE__, __LINE__), name(__VA_ARGS__))

#define mote_mem_alloc(...) MOTE_LOG_SITE(mote_mem_alloc, __VA_ARGS__)
#define mote_mem_zalloc(...) MOTE_LOG_SITE(mote_mem_zalloc, __VA_ARGS__)
#define mote_mem_realloc(...) MOTE_LOG_SITE(mote_mem_realloc, __VA_ARGS__)
#define mote_mem_free(...) MOTE_LOG_SITE(mote_mem_free, __VA_ARGS__)
#define mote_mem_strndup(...) MOTE_LOG_SITE(mote_mem_strndup, __VA_ARGS__)
#define mote_account_open(...) MOTE_LOG_SITE(mote_account_open, __VA_ARGS__)
#define mote_account_close(...) MOTE_LOG_SITE(mote_account_close, __VA_ARGS__)
#define mote_account_limit(...) MOTE_LOG_SITE(mote_account_limit, __VA_ARGS__)
#define mote_mem_public_alloc(...) MOTE_LOG_SITE(mote_mem_public_alloc, __VA_ARGS__)
#define mote_mem_public_realloc(...) MOTE_LOG_SITE(mote_mem_public_realloc, __VA_ARGS__)
#define mote_mem_public_free(...) MOTE_LOG_SITE(mote_mem_public_free, __VA_ARGS__)
#define mote_mem_public_strndup(...) MOTE_LOG_SITE(mote_mem_public_strndup, __VA_ARGS__)

#define mote_port_random(...) MOTE_LOG_SITE(mote_port_random, __VA_ARGS__)
#define mote_port_hostname(...) MOTE_LOG_SITE(mote_port_hostname, __VA_ARGS__)
#define mote_port_pid(...) MOTE_LOG_SITE(mote_port_pid, __VA_ARGS__)
#define mote_port_socket(...) MOTE_LOG_SITE(mote_port_socket, __VA_ARGS__)
#define mote_port_nonblocking(...) MOTE_LOG_SITE(mote_port_nonblocking, __VA_ARGS__)
#define mote_port_connect(...) MOTE_LOG_SITE(mote_port_connect, __VA_ARGS__)
#define mote_port_connect_result(...) MOTE_LOG_SITE(mote_port_connect_result, __VA_ARGS__)
#define mote_port_recv(...) MOTE_LOG_SITE(mote_port_recv, __VA_ARGS__)
#define mote_port_send(...) MOTE_LOG_SITE(mote_port_send, __VA_ARGS__)
#define mote_port_send_to(...) MOTE_LOG_SITE(mote_port_send_to, __VA_ARGS__)
#define mote_port_recv_from(...) MOTE_LOG_SITE(mote_port_recv_from, __VA_ARGS__)
#define mote_port_burst_prepare(...) MOTE_LOG_SITE(mote_port_burst_prepare, __VA_ARGS__)
#define mote_port_burst_move(...) MOTE_LOG_SITE(mote_port_burst_move, __VA_ARGS__)
#define mote_port_burst_gather(...) MOTE_LOG_SITE(mote_port_burst_gather, __VA_ARGS__)
#define mote_port_burst_recv(...) MOTE_LOG_SITE(mote_port_burst_recv, __VA_ARGS__)
#define mote_port_burst_send(...) MOTE_LOG_SITE(mote_port_burst_send, __VA_ARGS__)
#define mote_port_sendfile(...) MOTE_LOG_SITE(mote_port_sendfile, __VA_ARGS__)
#define mote_port_stream_file(...) MOTE_LOG_SITE(mote_port_stream_file, __VA_ARGS__)
#define mote_port_peek(...) MOTE_LOG_SITE(mote_port_peek, __VA_ARGS__)
#define mote_port_shutdown(...) MOTE_LOG_SITE(mote_port_shutdown, __VA_ARGS__)
#define mote_port_close(...) MOTE_LOG_SITE(mote_port_close, __VA_ARGS__)
#define mote_port_bind(...) MOTE_LOG_SITE(mote_port_bind, __VA_ARGS__)
#define mote_port_bind_device(...) MOTE_LOG_SITE(mote_port_bind_device, __VA_ARGS__)
#define mote_port_listen(...) MOTE_LOG_SITE(mote_port_listen, __VA_ARGS__)
#define mote_port_accept(...) MOTE_LOG_SITE(mote_port_accept, __VA_ARGS__)
#define mote_port_local_name(...) MOTE_LOG_SITE(mote_port_local_name, __VA_ARGS__)
#define mote_port_peer_name(...) MOTE_LOG_SITE(mote_port_peer_name, __VA_ARGS__)
#define mote_port_setopt(...) MOTE_LOG_SITE(mote_port_setopt, __VA_ARGS__)
#define mote_port_interface_address(...) MOTE_LOG_SITE(mote_port_interface_address, __VA_ARGS__)
#define mote_port_interface_index(...) MOTE_LOG_SITE(mote_port_interface_index, __VA_ARGS__)
#define mote_port_poll(...) MOTE_LOG_SITE(mote_port_poll, __VA_ARGS__)
#define mote_port_set_open(...) MOTE_LOG_SITE(mote_port_set_open, __VA_ARGS__)
#define mote_port_set_nests(...) MOTE_LOG_SITE(mote_port_set_nests, __VA_ARGS__)
#define mote_port_set_change(...) MOTE_LOG_SITE(mote_port_set_change, __VA_ARGS__)
#define mote_port_set_wait(...) MOTE_LOG_SITE(mote_port_set_wait, __VA_ARGS__)
#define mote_port_set_close(...) MOTE_LOG_SITE(mote_port_set_close, __VA_ARGS__)
#define mote_port_wake_open(...) MOTE_LOG_SITE(mote_port_wake_open, __VA_ARGS__)
#define mote_port_wake_signal(...) MOTE_LOG_SITE(mote_port_wake_signal, __VA_ARGS__)
#define mote_port_wake_drain(...) MOTE_LOG_SITE(mote_port_wake_drain, __VA_ARGS__)
#define mote_port_wake_close(...) MOTE_LOG_SITE(mote_port_wake_close, __VA_ARGS__)
#define mote_port_thread_start(...) MOTE_LOG_SITE(mote_port_thread_start, __VA_ARGS__)
#define mote_port_lookup(...) MOTE_LOG_SITE(mote_port_lookup, __VA_ARGS__)
#define mote_port_file_open(...) MOTE_LOG_SITE(mote_port_file_open, __VA_ARGS__)
#define mote_port_file_read(...) MOTE_LOG_SITE(mote_port_file_read, __VA_ARGS__)
#define mote_port_directory_read(...) MOTE_LOG_SITE(mote_port_directory_read, __VA_ARGS__)
#define mote_port_file_write(...) MOTE_LOG_SITE(mote_port_file_write, __VA_ARGS__)
#define mote_port_file_seek(...) MOTE_LOG_SITE(mote_port_file_seek, __VA_ARGS__)
#define mote_port_file_info(...) MOTE_LOG_SITE(mote_port_file_info, __VA_ARGS__)
#define mote_port_path_info(...) MOTE_LOG_SITE(mote_port_path_info, __VA_ARGS__)
#define mote_port_file_rename(...) MOTE_LOG_SITE(mote_port_file_rename, __VA_ARGS__)
#define mote_port_file_remove(...) MOTE_LOG_SITE(mote_port_file_remove, __VA_ARGS__)
#define mote_port_file_close(...) MOTE_LOG_SITE(mote_port_file_close, __VA_ARGS__)

#endif
