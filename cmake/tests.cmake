# What nearly every test reads, parsed once for all of them.
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/test_headers.cc CONTENT "// Headers alone.\n")
add_library(test_headers OBJECT ${PROJECT_BINARY_DIR}/test_headers.cc)
target_link_libraries(test_headers PRIVATE asynprox_options GTest::gtest fmt::fmt)
target_precompile_headers(test_headers PRIVATE <gtest/gtest.h> ${ASYNPROX_COMMON_HEADERS})

# The library is what has to be fast: tests compile in half the time without optimisation.
target_compile_options(test_headers PRIVATE -O0)

# asynprox_test(name source... [LABEL label] [OPTIMISED source...]): one test program, each of its tests
# known to ctest; under a sanitizer, where it takes long to start a program, all of them as one.
# OPTIMISED are sources that compute much themselves: they run several times faster at -O1, which takes
# them a second more to compile.
function(asynprox_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "LABEL" "OPTIMISED")
  add_executable(${name} ${arg_UNPARSED_ARGUMENTS} ${arg_OPTIMISED})
  if(arg_OPTIMISED)
    set_source_files_properties(${arg_OPTIMISED} PROPERTIES
      COMPILE_OPTIONS -O1 SKIP_PRECOMPILE_HEADERS ON)
  endif()
  target_link_libraries(${name} PRIVATE asynprox asynprox_options GTest::gtest_main fmt::fmt)
  target_precompile_headers(${name} REUSE_FROM test_headers)
  target_compile_options(${name} PRIVATE -O0)
  if(ASYNPROX_SANITIZE)
    add_test(NAME ${name} COMMAND ${name} --gtest_brief=1)
    set_tests_properties(${name} PROPERTIES TIMEOUT 1800 LABELS "${arg_LABEL}")
  else()
    gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 600
      LABELS "${arg_LABEL}")
  endif()
endfunction()
