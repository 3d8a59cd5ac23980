import type { LedgerKey } from '../world/ports.ts'

/** Where everything lies: the keys of objects and of ledger items. */
export const objectKeys = {
  /** The definition that is valid, for people and tools. */
  definition: (run: string) => `runs/${run}/run.json`,
  /** One edition of it; the run's item names the valid one. */
  edition: (run: string, edition: string) => `runs/${run}/definitions/${edition}.json`,
  tasks: (run: string) => `runs/${run}/tasks.json`,
  work: (run: string, generation: number) => `runs/${run}/work/${generation}.json`,
  journal: (run: string, episode: string, attempt: number) =>
    `runs/${run}/episodes/${episode}/attempts/${attempt}/journal/`,
  tree: (run: string, episode: string) => `runs/${run}/episodes/${episode}/tree.json`,
  trajectory: (run: string, episode: string) => `runs/${run}/episodes/${episode}/trajectory.json`,
  /** A large tree or trajectory that still changes, as it stood when it was last asked for. */
  snapshot: (run: string, episode: string, kind: 'tree' | 'trajectory') =>
    `runs/${run}/episodes/${episode}/live/${kind}.json`,
  /** A report too large for an answer, as it stood when it was last asked for. */
  report: (run: string) => `runs/${run}/live/report.json`,
  result: (run: string, episode: string) => `runs/${run}/episodes/${episode}/result.json`,
}

export const ledgerKeys = {
  run: (run: string): LedgerKey => ({ partition: `run/${run}`, sort: 'run' }),
  /** A tenant's caps, and what its runs hold of them. */
  tenant: (tenant: string): LedgerKey => ({ partition: 'tenants', sort: tenant }),
  /** That a run is a tenant's, for the tenant's list. */
  tenantRun: (tenant: string, run: string): LedgerKey => ({ partition: `tenant/${tenant}/runs`, sort: run }),
  /** Runs that have not ended, for the sweeper. */
  openRun: (run: string): LedgerKey => ({ partition: 'open-runs', sort: run }),
  episode: (run: string, episode: string): LedgerKey => ({ partition: `run/${run}/episodes`, sort: episode }),
  /** Episodes that are queued or played, for the sweeper. */
  active: (run: string, episode: string): LedgerKey => ({ partition: `run/${run}/active`, sort: episode }),
  event: (run: string, sequence: number): LedgerKey => ({
    partition: `run/${run}/events`,
    sort: String(sequence).padStart(12, '0'),
  }),
  idempotency: (tenant: string, key: string): LedgerKey => ({
    partition: `tenant/${tenant}/idempotency/runs`,
    sort: key,
  }),
  /** What one worker has spent for the run. */
  spending: (run: string, worker: string): LedgerKey => ({ partition: `run/${run}/spending`, sort: worker }),
  /** Runs of whose caps a worker holds a part, for the sweeper. */
  holding: (worker: string, run: string): LedgerKey => ({ partition: `holdings/${worker}`, sort: run }),
  worker: (worker: string): LedgerKey => ({ partition: 'workers', sort: worker }),
  reservation: (worker: string, call: string): LedgerKey => ({
    partition: `reservations/${worker}`,
    sort: call,
  }),
}
