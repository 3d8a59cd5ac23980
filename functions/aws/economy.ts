/**
 * How the cloud differs from one machine: each write to the ledger and each segment of a journal is paid for, and a run is
 * looked at by hundreds of workers. What it comes to is in `docs/cost.md`.
 */
export const economy = { callsAtOnce: 16, gatherFor: 2000, lookEvery: 5000 }
