# Compiles through ccache where it is installed and no other launcher was asked for. A second build of
# the same sources, in another clone too, then takes seconds.
find_program(ASYNPROX_CCACHE ccache)
if(ASYNPROX_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Paths below the clone are hashed as relative ones. Precompiled headers need the sloppiness
  # (ccache's manual, "Precompiled headers"), and a compiler that does not note the time in them.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}
    CCACHE_NOHASHDIR=1
    CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
    ${ASYNPROX_CCACHE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-fpch-preprocess)
  else()
    add_compile_options("SHELL:-Xclang -fno-pch-timestamp")
  endif()
endif()
