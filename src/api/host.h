/* api/host.h: the system that the library was built for, which curl_version_info(3) reports as its host,
 * in the form of GNU triplets. A build may define MOTE_HOST itself. */
#ifndef MOTE_API_HOST_H
#define MOTE_API_HOST_H

#ifndef MOTE_HOST

#if defined(__x86_64__)
#define MOTE_HOST_CPU "x86_64"
#elif defined(__i386__)
#define MOTE_HOST_CPU "i686"
#elif defined(__aarch64__)
#define MOTE_HOST_CPU "aarch64"
#elif defined(__arm__)
#define MOTE_HOST_CPU "arm"
#elif defined(__riscv)
#define MOTE_HOST_CPU "riscv"
#elif defined(__mips__)
#define MOTE_HOST_CPU "mips"
#elif defined(__powerpc64__)
#define MOTE_HOST_CPU "powerpc64"
#else
#define MOTE_HOST_CPU "unknown"
#endif

#if defined(__linux__) && defined(__GLIBC__)
#define MOTE_HOST_SYSTEM "-pc-linux-gnu"
#elif defined(__linux__)
#define MOTE_HOST_SYSTEM "-pc-linux"
#elif defined(__APPLE__)
#define MOTE_HOST_SYSTEM "-apple-darwin"
#elif defined(__FreeBSD__)
#define MOTE_HOST_SYSTEM "-unknown-freebsd"
#elif defined(_WIN32)
#define MOTE_HOST_SYSTEM "-pc-win32"
#else
#define MOTE_HOST_SYSTEM "-none"
#endif

#define MOTE_HOST MOTE_HOST_CPU MOTE_HOST_SYSTEM

#endif

#endif
