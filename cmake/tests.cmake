# asynprox_test(name source...): one test program, each of its tests known to ctest.
function(asynprox_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "LABEL" "")
  add_executable(${name} ${arg_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE asynprox asynprox_options GTest::gtest_main fmt::fmt)
  gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 600
    LABELS "${arg_LABEL}")
endfunction()
