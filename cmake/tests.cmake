# asynprox_test(name source...): one test program, each of its tests known to ctest.
function(asynprox_test name)
  add_executable(${name} ${ARGN})
  target_link_libraries(${name} PRIVATE asynprox asynprox_options GTest::gtest_main fmt::fmt)
  gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 600)
endfunction()
