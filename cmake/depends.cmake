# What the library links with.

set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)
find_package(OpenSSL 3.0 REQUIRED)
find_package(ZLIB REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(brotlidec REQUIRED IMPORTED_TARGET libbrotlidec)
pkg_check_modules(zstd REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(idn2 REQUIRED IMPORTED_TARGET libidn2)

set(MOTE_LINKED OpenSSL::SSL OpenSSL::Crypto ZLIB::ZLIB PkgConfig::brotlidec PkgConfig::zstd PkgConfig::idn2
  Threads::Threads)
# pkg-config names of the same, for mote.pc
set(MOTE_PC_REQUIRES "libssl libcrypto zlib libbrotlidec libzstd libidn2")

add_library(mote_depends INTERFACE)
target_link_libraries(mote_depends INTERFACE ${MOTE_LINKED})

# A static library hands its needs on to whoever links it.
function(mote_public_depends target)
  target_link_libraries(${target} PUBLIC ${MOTE_LINKED})
endfunction()

# The same as static libraries, for a command that needs no other file (target mote-static).
pkg_check_modules(mote_all QUIET libssl libcrypto zlib libbrotlidec libzstd libidn2)
find_library(MOTE_UNISTRING_A libunistring.a)
