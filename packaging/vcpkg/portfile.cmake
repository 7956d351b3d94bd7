vcpkg_download_distfile(ARCHIVE
    URLS "https://mote.example.org/releases/mote-${VERSION}.tar.xz"
    FILENAME "mote-${VERSION}.tar.xz"
    SHA512 @SHA512@
)
vcpkg_extract_source_archive(SOURCE_PATH ARCHIVE "${ARCHIVE}")

# vcpkg has no MIT krb5 for all of its triplets. The library inlines across files by itself, where it is not debugged.
vcpkg_cmake_configure(
    SOURCE_PATH "${SOURCE_PATH}"
    OPTIONS
        -DMOTE_WITHOUT=gssapi
        -DMOTE_LATE=OFF
)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(PACKAGE_NAME mote CONFIG_PATH lib/cmake/mote)
vcpkg_fixup_pkgconfig()
vcpkg_copy_tools(TOOL_NAMES mote AUTO_CLEAN)

file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
