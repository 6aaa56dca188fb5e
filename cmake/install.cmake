# cmake --install: the program, the library with its headers, and how CMake and pkg-config find them.
include(CMakePackageConfigHelpers)

install(TARGETS asynprox EXPORT asynprox-targets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(ASYNPROX_CLI)
  if(BUILD_SHARED_LIBS)
    set_target_properties(asynprox_cli PROPERTIES
      INSTALL_RPATH $ORIGIN/../${CMAKE_INSTALL_LIBDIR})
  endif()
  install(TARGETS asynprox_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  if(TARGET asynprox_mpi_cli)
    install(TARGETS asynprox_mpi_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  endif()
endif()
# Only the public headers, and those that they include.
include(${CMAKE_CURRENT_LIST_DIR}/included_headers.cmake)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/asynprox DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
included_headers(internal_headers ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
foreach(header IN LISTS internal_headers)
  cmake_path(GET header PARENT_PATH folder)
  install(FILES ${PROJECT_SOURCE_DIR}/src/${header}
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/${folder})
endforeach()
install(FILES ${PROJECT_BINARY_DIR}/generated/asynprox/version.h
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/asynprox)

# find_package(asynprox) gives asynprox::asynprox.
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/asynprox)
install(EXPORT asynprox-targets NAMESPACE asynprox:: DESTINATION ${package_folder})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/asynprox-config.cmake.in
  ${PROJECT_BINARY_DIR}/asynprox-config.cmake INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/asynprox-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/asynprox-config.cmake
  ${PROJECT_BINARY_DIR}/asynprox-config-version.cmake
  DESTINATION ${package_folder})

# pkg-config asynprox. What a static library needs is for every user of it to link; what a shared
# one needs is its own affair.
set(ASYNPROX_PC_REQUIRES "fmt libhwy libarchive")
if(BUILD_SHARED_LIBS)
  set(ASYNPROX_PC_PRIVATE ".private")
endif()
file(RELATIVE_PATH ASYNPROX_PC_TO_PREFIX ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig
  ${CMAKE_INSTALL_PREFIX})
configure_file(${CMAKE_CURRENT_LIST_DIR}/asynprox.pc.in ${PROJECT_BINARY_DIR}/asynprox.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/asynprox.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
