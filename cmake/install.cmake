# make install: the command, both libraries, those that mote exec gives to programs, the public headers, CMake package files, mote.pc,
# manual pages, completions, and the pages of docs/ with licence and notices.

include(CMakePackageConfigHelpers)
set(mote_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/mote")

install(TARGETS mote_shared EXPORT moteTargets
  LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}"
  RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}") # a DLL and what links it
# For mote exec, in a folder where no linker looks; what is not built (make drop-in) is left out.
if("https" IN_LIST MOTE_PARTS)
  set(reporter mote_reporter)
  if(NOT TARGET mote_reporter)
    set(reporter "")
  endif()
  install(TARGETS ${mote_drop_in} ${reporter} OPTIONAL
    LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}/${MOTE_DROPIN_INSTALL}"
    RUNTIME DESTINATION "${CMAKE_INSTALL_LIBDIR}/${MOTE_DROPIN_INSTALL}"
    ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}/${MOTE_DROPIN_INSTALL}")
endif()
install(TARGETS mote_static EXPORT moteStaticTargets
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
if(TARGET mote)
  install(TARGETS mote RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()
install(DIRECTORY include/curl include/mote DESTINATION "${MOTE_INSTALL_INCLUDEDIR}"
  FILES_MATCHING PATTERN "*.h")
install(FILES docs/mote.1 DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
install(DIRECTORY docs/man3 DESTINATION "${CMAKE_INSTALL_MANDIR}" FILES_MATCHING PATTERN "*.3")
install(FILES docs/completion/mote.bash DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions"
  RENAME mote)
install(FILES docs/completion/_mote DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions")
install(FILES docs/completion/mote.fish DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")

# The layout of the sources, so that links between pages hold.
install(FILES README.md CHANGELOG.md SECURITY.md LICENSE NOTICES.md DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(DIRECTORY docs/ DESTINATION "${CMAKE_INSTALL_DOCDIR}/docs" FILES_MATCHING PATTERN "*.md" PATTERN "*.svg"
  PATTERN man3 EXCLUDE PATTERN completion EXCLUDE)

install(EXPORT moteTargets NAMESPACE mote:: DESTINATION "${mote_package_dir}")
install(EXPORT moteStaticTargets NAMESPACE mote:: DESTINATION "${mote_package_dir}")
configure_package_config_file(cmake/moteConfig.cmake.in "${PROJECT_BINARY_DIR}/moteConfig.cmake"
  INSTALL_DESTINATION "${mote_package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/moteConfigVersion.cmake" COMPATIBILITY SameMajorVersion)
install(FILES "${PROJECT_BINARY_DIR}/moteConfig.cmake" "${PROJECT_BINARY_DIR}/moteConfigVersion.cmake"
  DESTINATION "${mote_package_dir}")

# GNUInstallDirs also takes folders that are absolute (Nix gives such).
set(MOTE_PC_LIBDIR "${CMAKE_INSTALL_LIBDIR}")
set(MOTE_PC_INCLUDEDIR "${MOTE_INSTALL_INCLUDEDIR}")
foreach(folder MOTE_PC_LIBDIR MOTE_PC_INCLUDEDIR)
  if(NOT IS_ABSOLUTE "${${folder}}")
    string(PREPEND ${folder} "\${prefix}/")
  endif()
endforeach()
configure_file(cmake/mote.pc.in "${PROJECT_BINARY_DIR}/mote.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/mote.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
