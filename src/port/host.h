/* port/host.h: the system that the library was built for, which curl_version_info(3) reports as its host, in
 * the form of GNU triplets: machine, vendor, system. A build may define MOTE_HOST itself.
 *
 * Tests: tests/tools/test_host.py */
#ifndef MOTE_PORT_HOST_H
#define MOTE_PORT_HOST_H

#ifndef MOTE_HOST

#define MOTE_HOST_VENDOR "unknown" /* but for those below */
#if defined(__x86_64__)
#define MOTE_HOST_CPU "x86_64"
#elif defined(__i386__)
#define MOTE_HOST_CPU "i686"
#elif defined(__aarch64__)
#define MOTE_HOST_CPU "aarch64"
#elif defined(__arm__)
#define MOTE_HOST_CPU "arm"
#elif defined(__riscv) && __riscv_xlen == 64
#define MOTE_HOST_CPU "riscv64"
#elif defined(__riscv)
#define MOTE_HOST_CPU "riscv32"
#elif defined(__s390x__)
#define MOTE_HOST_CPU "s390x"
#elif defined(__powerpc64__) && defined(__LITTLE_ENDIAN__)
#define MOTE_HOST_CPU "powerpc64le"
#elif defined(__powerpc64__)
#define MOTE_HOST_CPU "powerpc64"
#elif defined(__powerpc__)
#define MOTE_HOST_CPU "powerpc"
#elif defined(__mips64) && defined(__MIPSEL__)
#define MOTE_HOST_CPU "mips64el"
#elif defined(__mips64)
#define MOTE_HOST_CPU "mips64"
#elif defined(__MIPSEL__)
#define MOTE_HOST_CPU "mipsel"
#elif defined(__mips__)
#define MOTE_HOST_CPU "mips"
#elif defined(__loongarch_lp64)
#define MOTE_HOST_CPU "loongarch64"
#elif defined(__sparc__) && defined(__arch64__)
#define MOTE_HOST_CPU "sparc64"
#elif defined(__xtensa__)
#define MOTE_HOST_CPU "xtensa"
#else
#define MOTE_HOST_CPU "unknown"
#endif

#if defined(__x86_64__) || defined(__i386__)
#undef MOTE_HOST_VENDOR
#define MOTE_HOST_VENDOR "pc"
#elif defined(__s390x__)
#undef MOTE_HOST_VENDOR
#define MOTE_HOST_VENDOR "ibm"
#endif

#if defined(__linux__) && defined(__GLIBC__) && defined(__ARM_PCS_VFP) && !defined(__aarch64__)
#define MOTE_HOST_SYSTEM "-" MOTE_HOST_VENDOR "-linux-gnueabihf"
#elif defined(__linux__) && defined(__GLIBC__) && defined(__arm__)
#define MOTE_HOST_SYSTEM "-" MOTE_HOST_VENDOR "-linux-gnueabi"
#elif defined(__linux__) && defined(__GLIBC__) && defined(__mips64)
#define MOTE_HOST_SYSTEM "-" MOTE_HOST_VENDOR "-linux-gnuabi64"
#elif defined(__linux__) && defined(__GLIBC__)
#define MOTE_HOST_SYSTEM "-" MOTE_HOST_VENDOR "-linux-gnu"
#elif defined(__linux__)
#define MOTE_HOST_SYSTEM "-" MOTE_HOST_VENDOR "-linux"
#elif defined(__APPLE__)
#define MOTE_HOST_SYSTEM "-apple-darwin"
#elif defined(__FreeBSD__)
#define MOTE_HOST_SYSTEM "-unknown-freebsd"
#elif defined(__NetBSD__)
#define MOTE_HOST_SYSTEM "-unknown-netbsd"
#elif defined(__OpenBSD__)
#define MOTE_HOST_SYSTEM "-unknown-openbsd"
#elif defined(__DragonFly__)
#define MOTE_HOST_SYSTEM "-unknown-dragonfly"
#elif defined(_WIN32)
#define MOTE_HOST_SYSTEM "-pc-win32"
#else
#define MOTE_HOST_SYSTEM "-none"
#endif

#define MOTE_HOST MOTE_HOST_CPU MOTE_HOST_SYSTEM

#endif

#endif
