# One object of those that MADE.list names, inlined across files: cmake -DCC= -DFLAGS= -DMADE= -P inline_link.cmake
#
# It is what GCC hands to the linker when it links them to a shared library: what is not exported is local in it, which
# no partial link (-r) would know. What -save-temps leaves is kept; the library itself goes away.

get_filename_component(folder "${MADE}" DIRECTORY)
get_filename_component(name "${MADE}" NAME)
separate_arguments(flags UNIX_COMMAND "${FLAGS}")
execute_process(
  COMMAND "${CC}" ${flags} -O2 -fPIC -shared -flto=auto -flto-partition=one -Wl,-Bsymbolic-functions -save-temps
    -o "${name}.so" "@${name}.list"
  WORKING_DIRECTORY "${folder}" COMMAND_ERROR_IS_FATAL ANY)
file(GLOB left "${folder}/${name}.so*")
set(made ${left})
list(FILTER made INCLUDE REGEX "[.]ltrans0[.]ltrans[.]o$")
if(made)
  file(RENAME "${made}" "${MADE}")
  list(REMOVE_ITEM left "${made}")
endif()
file(REMOVE ${left})
if(NOT made)
  message(FATAL_ERROR "This compiler leaves no object of an inlined link: configure with -DMOTE_INLINE=OFF")
endif()
