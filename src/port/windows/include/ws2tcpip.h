/* ws2tcpip.h for the library's own files on Windows: <curl/curl.h> includes it, and asks nothing of it
 * (winsock2.h of this folder). */
#pragma GCC system_header
#ifdef _WINDOWS_
#include_next <ws2tcpip.h>
#endif
