// Binding threads to cores.
#pragma once

namespace asynprox {

// The cores that this process may use.
int usable_cores();

// The calling thread stays on core `number`, modulo their count, of those this process may use.
// Where the system does not let it, nothing happens.
void pin_this_thread(int number);

}  // namespace asynprox
