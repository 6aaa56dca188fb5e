// A run of Algorithm 1 in virtual time, on the very Server and Worker that other runtimes run: a
// simulation of discrete events. The same seed gives the same bits.
#pragma once

#include "asynprox/algorithm/worker.h"
#include "asynprox/simulator/virtual_server.h"

namespace asynprox {

// `workers` are the slots: one per machine, or two if the cluster is pipelined; speeds are of the
// machines, 1 for those that are not listed. The monitor reads `clock`. A run of
// which every worker is gone for ever ends as interrupted, and says so. `resumed`: where the run goes on
// from, if it does not begin.
SimulationReport run_simulation(Server& server, std::vector<Worker>& workers, Monitor& monitor,
                                Recorder& recorder, const Cluster& cluster, const Vector& speeds,
                                std::uint64_t seed, VirtualClock& clock,
                                const RunState* resumed = nullptr);

}  // namespace asynprox
