// The three kinds of failure, and the words for them.
//
//   require   the caller broke the contract: a bad option, a wrong size      (ContractError)
//   DataError a file or stream that cannot be used; the message says where
//   ensure    we have a bug                                                  (BugError)
//
// An outcome (a run that diverged, a limit that was reached) is none of these: it is returned.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace asynprox {

class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class ContractError : public Error {
 public:
  using Error::Error;
};

class DataError : public Error {
 public:
  using Error::Error;
};

class BugError : public Error {
 public:
  using Error::Error;
};

inline void require(bool holds, std::string_view message) {
  if (!holds) [[unlikely]]
    throw ContractError(std::string(message));
}

inline void ensure(bool holds, std::string_view message) {
  if (!holds) [[unlikely]]
    throw BugError("internal error: " + std::string(message));
}

template <class Kind>
bool is_a(const Error* error) {
  return dynamic_cast<const Kind*>(error) != nullptr;
}

// Returns work(), where an error of one of these types becomes a DataError that begins with what the
// data came from: "a9a.svm: ...".
template <class... Errors>
auto naming(std::string_view source, auto&& work) {
  try {
    return work();
  } catch (const Error& error) {
    if ((is_a<Errors>(&error) || ...)) throw DataError(std::string(source) + ": " + error.what());
    throw;
  }
}

}  // namespace asynprox
