import type { LedgerKey } from '../world/ports.ts'

export const objectKeys = {
  definition: (run: string) => `runs/${run}/run.json`,
  edition: (run: string, edition: string) => `runs/${run}/definitions/${edition}.json`,
  tasks: (run: string) => `runs/${run}/tasks.json`,
  learning: (run: string) => `runs/${run}/learning.json`,
  work: (run: string, generation: number) => `runs/${run}/work/${generation}.json`,
  journal: (run: string, episode: string, attempt: number) =>
    `runs/${run}/episodes/${episode}/attempts/${attempt}/journal/`,
  tokens: (run: string, episode: string, attempt: number) =>
    `runs/${run}/episodes/${episode}/attempts/${attempt}/tokens/`,
  /** The prefix of a worker's log, with segments of many of the run's episodes. */
  log: (run: string, log: string) => `runs/${run}/logs/${log}/`,
  /**
   * The keys of an end's objects. An end of a later generation than the first has keys of its own, because it counts
   * only once the episode has ended in that generation. Then a copy replaces the first one, for people and tools. The
   * episode's item names the valid one.
   */
  tree: (run: string, episode: string, generation = 1) => `${endOf(run, episode, generation)}tree.json`,
  trajectory: (run: string, episode: string, generation = 1) =>
    `${endOf(run, episode, generation)}trajectory.json`,
  result: (run: string, episode: string, generation = 1) => `${endOf(run, episode, generation)}result.json`,
  snapshot: (run: string, episode: string, kind: 'tree' | 'trajectory') =>
    `runs/${run}/episodes/${episode}/live/${kind}.json`,
  report: (run: string, file: string) => `runs/${run}/live/${file}`,
  /**
   * The prefix of notes, or learned actions, that episodes leave for others. Earlier versions stored each episode's
   * as `{episode}.json`.
   */
  parts: (kind: 'memory' | 'library', run: string) => `runs/${run}/${kind}/`,
  part: (
    kind: 'memory' | 'library',
    { run, episode, digest }: { run: string; episode: string; digest: string },
  ) => `runs/${run}/${kind}/${episode}/${digest}.json`,
  notesPage: (run: string, query: string) => `runs/${run}/live/notes-${query}.json`,
  inspection: (run: string, episode: string, file: string) =>
    `runs/${run}/episodes/${episode}/live/${file}.json`,
  noteUses: (run: string, memory: string) => `runs/${run}/live/uses-${memory}.json`,
  transcripts: (run: string) => `runs/${run}/transcripts/index.json`,
  transcriptPart: (run: string, part: number) =>
    `runs/${run}/transcripts/${String(part).padStart(8, '0')}.jsonl.gz`,
  blob: (sha256: string) => `blobs/${sha256}`,
}

function endOf(run: string, episode: string, generation: number): string {
  return `runs/${run}/episodes/${episode}/${generation === 1 ? '' : `ends/${generation}/`}`
}

export const ledgerKeys = {
  run: (run: string): LedgerKey => ({ partition: `run/${run}`, sort: 'run' }),
  tenant: (tenant: string): LedgerKey => ({ partition: 'tenants', sort: tenant }),
  tenantRun: (tenant: string, run: string): LedgerKey => ({ partition: `tenant/${tenant}/runs`, sort: run }),
  tenantMemory: (tenant: string, memory: string): LedgerKey => ({
    partition: `tenant/${tenant}/memories`,
    sort: memory,
  }),
  tenantLibrary: (tenant: string, library: string): LedgerKey => ({
    partition: `tenant/${tenant}/libraries`,
    sort: library,
  }),
  openRun: (run: string): LedgerKey => ({ partition: 'open-runs', sort: run }),
  preflight: (run: string): LedgerKey => ({ partition: `run/${run}`, sort: 'preflight' }),
  route: (run: string): LedgerKey => ({ partition: `run/${run}`, sort: 'workers' }),
  answerTime: (endpoint: string, model: string): LedgerKey => ({
    partition: 'answer-times',
    sort: `${endpoint}/${model}`,
  }),
  episode: (run: string, episode: string): LedgerKey => ({ partition: `run/${run}/episodes`, sort: episode }),
  active: (run: string, episode: string): LedgerKey => ({ partition: `run/${run}/active`, sort: episode }),
  end: (run: string, end: string): LedgerKey => ({ partition: `run/${run}/ends`, sort: end }),
  steward: (run: string): LedgerKey => ({ partition: `run/${run}/steward`, sort: 'steward' }),
  /** Sorted by the number of the last event in the item. */
  event: (run: string, sequence: number): LedgerKey => ({
    partition: `run/${run}/events`,
    sort: String(sequence).padStart(12, '0'),
  }),
  idempotency: (tenant: string, key: string): LedgerKey => ({
    partition: `tenant/${tenant}/idempotency/runs`,
    sort: key,
  }),
  /** The amounts workers hold of a run's caps; separate from the run's item, which few can change at a time. */
  leases: (run: string): LedgerKey => ({ partition: `run/${run}/leases`, sort: 'leases' }),
  turn: (run: string, slot: number): LedgerKey => ({ partition: `run/${run}/turns`, sort: String(slot) }),
  tenantTurn: (tenant: string, slot: number): LedgerKey => ({
    partition: `tenant/${tenant}/turns`,
    sort: String(slot),
  }),
  spending: (run: string, worker: string): LedgerKey => ({ partition: `run/${run}/spending`, sort: worker }),
  firstAnswers: (run: string, asked: string): LedgerKey => ({ partition: `run/${run}/answers`, sort: asked }),
  judgement: (run: string, sort: string): LedgerKey => ({ partition: `run/${run}/judgements`, sort }),
  scoreName: (run: string, name: string): LedgerKey => ({ partition: `run/${run}/score-names`, sort: name }),
  scoring: (run: string, name: string): LedgerKey => ({ partition: `run/${run}/scorings`, sort: name }),
  holding: (worker: string, run: string): LedgerKey => ({ partition: `holdings/${worker}`, sort: run }),
  worker: (worker: string): LedgerKey => ({ partition: 'workers', sort: worker }),
  taken: (worker: string, message: string): LedgerKey => ({ partition: `taken/${worker}`, sort: message }),
  reservation: (worker: string, call: string): LedgerKey => ({
    partition: `reservations/${worker}`,
    sort: call,
  }),
}
