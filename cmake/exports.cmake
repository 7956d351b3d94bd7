# What a shared library shows, from the list of public functions.
#
# mote_version_script(<out> <node>): curl_* in <node>, mote_* always in MOTE_0, everything else hidden.
# mote_export_list(<out>): the same functions without versions, for a DLL.

file(STRINGS "${PROJECT_SOURCE_DIR}/exports/functions.txt" mote_exports REGEX "^(curl|mote)_")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/exports/functions.txt")

if(MOTE_LOG)
  list(APPEND mote_exports mote_fault_control)
endif()

function(mote_version_script out node)
  set(curl_names ${mote_exports})
  list(FILTER curl_names INCLUDE REGEX "^curl_")
  set(mote_names ${mote_exports})
  list(FILTER mote_names INCLUDE REGEX "^mote_")
  if(node STREQUAL "MOTE_0")
    list(JOIN mote_exports ";\n    " all)
    set(text "MOTE_0 {\n  global:\n    ${all};\n  local:\n    *;\n};\n")
  else()
    list(JOIN curl_names ";\n    " ours)
    list(JOIN mote_names ";\n    " added)
    set(text "${node} {\n  global:\n    ${ours};\n  local:\n    *;\n};\n")
    string(APPEND text "MOTE_0 {\n  global:\n    ${added};\n};\n")
  endif()
  file(CONFIGURE OUTPUT "${out}" CONTENT "${text}" @ONLY)
endfunction()

function(mote_export_list out)
  list(JOIN mote_exports "\n  " all)
  file(CONFIGURE OUTPUT "${out}" CONTENT "EXPORTS\n  ${all}\n" @ONLY)
endfunction()
