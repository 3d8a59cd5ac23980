/**
 * How the cloud differs from one machine: each write to the ledger and each segment of a journal is paid for, and a run is
 * looked at by hundreds of workers. What it comes to is in `docs/cost.md`.
 */
export const economy = { callsAtOnce: 16, gatherFor: 2000, lookEvery: 5000 }

/**
 * The same for a long-lived worker, whose models take long to answer: a wave's answers share a segment however far apart they come,
 * and its many episodes share what is reserved of a run's money. What waits for others is lost with a worker that is killed, and so
 * are the calls that it waits for.
 */
export const workerEconomy = { callsAtOnce: 64, gatherFor: 60_000, lookEvery: 5000 }
