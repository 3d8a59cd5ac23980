/**
 * Settings that differ from one machine: each write to the ledger and each journal segment costs money, and hundreds
 * of workers read a run. `docs/cost.md` has the amounts.
 */
export const economy = { callsAtOnce: 16, gatherFor: 2000, lookEvery: 5000 }

/**
 * The same for a long-lived worker, whose models answer slowly. A wave's answers share a segment however far apart
 * they arrive, the segments of two seconds share an object, and its episodes share a reservation of the run's money. A
 * killed worker loses uncommitted answers and the calls it waits for.
 */
export const workerEconomy = { callsAtOnce: 64, gatherFor: 60_000, groupFor: 2000, lookEvery: 5000 }
