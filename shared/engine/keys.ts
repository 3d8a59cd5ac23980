import type { LedgerKey } from '../world/ports.ts'

/** Where everything lies: the keys of objects and of ledger items. */
export const objectKeys = {
  /** The definition that is valid, for people and tools. */
  definition: (run: string) => `runs/${run}/run.json`,
  /** One edition of it; the run's item names the valid one. */
  edition: (run: string, edition: string) => `runs/${run}/definitions/${edition}.json`,
  tasks: (run: string) => `runs/${run}/tasks.json`,
  /** What comes before the tasks; absent where nothing does. */
  learning: (run: string) => `runs/${run}/learning.json`,
  work: (run: string, generation: number) => `runs/${run}/work/${generation}.json`,
  journal: (run: string, episode: string, attempt: number) =>
    `runs/${run}/episodes/${episode}/attempts/${attempt}/journal/`,
  /**
   * What an end publishes. Of a later generation than the first it lies apart, because it counts only once the episode has ended in
   * it; then a copy takes the place of the first, for people and tools. The episode's item names the valid one.
   */
  tree: (run: string, episode: string, generation = 1) => `${endOf(run, episode, generation)}tree.json`,
  trajectory: (run: string, episode: string, generation = 1) =>
    `${endOf(run, episode, generation)}trajectory.json`,
  result: (run: string, episode: string, generation = 1) => `${endOf(run, episode, generation)}result.json`,
  /** A large tree or trajectory that still changes, as it stood when it was last asked for. */
  snapshot: (run: string, episode: string, kind: 'tree' | 'trajectory') =>
    `runs/${run}/episodes/${episode}/live/${kind}.json`,
  /** A report too large for an answer, as it stood when it was last asked for. */
  report: (run: string, file: string) => `runs/${run}/live/${file}`,
  /** Where episodes leave their notes, or the actions they learned, for others; of earlier versions each in a `{episode}.json`. */
  parts: (kind: 'memory' | 'library', run: string) => `runs/${run}/${kind}/`,
  /** What one episode left, named by what it holds; the episode's item says which is valid. */
  part: (
    kind: 'memory' | 'library',
    { run, episode, digest }: { run: string; episode: string; digest: string },
  ) => `runs/${run}/${kind}/${episode}/${digest}.json`,
  /** A page of notes too large for an answer, as it stood when it was last asked for. */
  notesPage: (run: string, query: string) => `runs/${run}/live/notes-${query}.json`,
  /** What was read from a journal and is too large for an answer, as it stood when it was last asked for. */
  inspection: (run: string, episode: string, file: string) =>
    `runs/${run}/episodes/${episode}/live/${file}.json`,
  /** Where the notes of a memory were shown, likewise; `run` is the one that was looked at. */
  noteUses: (run: string, memory: string) => `runs/${run}/live/uses-${memory}.json`,
  /** What is indexed of a run's transcripts, and the passages of some of its episodes. */
  transcripts: (run: string) => `runs/${run}/transcripts/index.json`,
  transcriptPart: (run: string, part: number) =>
    `runs/${run}/transcripts/${String(part).padStart(8, '0')}.jsonl.gz`,
  /** A part of an observation that is no text. */
  blob: (sha256: string) => `blobs/${sha256}`,
}

function endOf(run: string, episode: string, generation: number): string {
  return `runs/${run}/episodes/${episode}/${generation === 1 ? '' : `ends/${generation}/`}`
}

export const ledgerKeys = {
  run: (run: string): LedgerKey => ({ partition: `run/${run}`, sort: 'run' }),
  /** A tenant's caps, and what its runs hold of them. */
  tenant: (tenant: string): LedgerKey => ({ partition: 'tenants', sort: tenant }),
  /** That a run is a tenant's, for the tenant's list. */
  tenantRun: (tenant: string, run: string): LedgerKey => ({ partition: `tenant/${tenant}/runs`, sort: run }),
  /** That a memory, or a library, is a tenant's, with what a list shows of it. */
  tenantMemory: (tenant: string, memory: string): LedgerKey => ({
    partition: `tenant/${tenant}/memories`,
    sort: memory,
  }),
  tenantLibrary: (tenant: string, library: string): LedgerKey => ({
    partition: `tenant/${tenant}/libraries`,
    sort: library,
  }),
  /** Runs that have not ended, for the sweeper. */
  openRun: (run: string): LedgerKey => ({ partition: 'open-runs', sort: run }),
  /** The right to ask a run's models before its first episode. */
  preflight: (run: string): LedgerKey => ({ partition: `run/${run}`, sort: 'preflight' }),
  /** What plays the run's episodes. */
  route: (run: string): LedgerKey => ({ partition: `run/${run}`, sort: 'workers' }),
  /** How long a model took to answer when that last changed what plays its runs. */
  answerTime: (endpoint: string, model: string): LedgerKey => ({
    partition: 'answer-times',
    sort: `${endpoint}/${model}`,
  }),
  episode: (run: string, episode: string): LedgerKey => ({ partition: `run/${run}/episodes`, sort: episode }),
  /** Episodes that are queued or played, for the sweeper. */
  active: (run: string, episode: string): LedgerKey => ({ partition: `run/${run}/active`, sort: episode }),
  /** An end that the run's counters do not hold yet. */
  end: (run: string, end: string): LedgerKey => ({ partition: `run/${run}/ends`, sort: end }),
  /** The right to count a run's ends. */
  steward: (run: string): LedgerKey => ({ partition: `run/${run}/steward`, sort: 'steward' }),
  /** By the number of the last event that the item holds. */
  event: (run: string, sequence: number): LedgerKey => ({
    partition: `run/${run}/events`,
    sort: String(sequence).padStart(12, '0'),
  }),
  idempotency: (tenant: string, key: string): LedgerKey => ({
    partition: `tenant/${tenant}/idempotency/runs`,
    sort: key,
  }),
  /** What workers hold of a run's caps; apart from its item, which few can change at a time. */
  leases: (run: string): LedgerKey => ({ partition: `run/${run}/leases`, sort: 'leases' }),
  /** The turn of an episode to spend from a cap that few episodes fit in: of the run's cap, and of its tenant's. */
  turn: (run: string, slot: number): LedgerKey => ({ partition: `run/${run}/turns`, sort: String(slot) }),
  tenantTurn: (tenant: string, slot: number): LedgerKey => ({
    partition: `tenant/${tenant}/turns`,
    sort: String(slot),
  }),
  /** What one worker has spent for the run. */
  spending: (run: string, worker: string): LedgerKey => ({ partition: `run/${run}/spending`, sort: worker }),
  /** How many of a run's first answers were of use, apart for everyone who is asked. */
  firstAnswers: (run: string, asked: string): LedgerKey => ({ partition: `run/${run}/answers`, sort: asked }),
  /** What was judged of a run's episodes. */
  judgement: (run: string, sort: string): LedgerKey => ({ partition: `run/${run}/judgements`, sort }),
  /** Whose the name of a score is in a run. */
  scoreName: (run: string, name: string): LedgerKey => ({ partition: `run/${run}/score-names`, sort: name }),
  /** The last scoring by a rubric under a name of a run. */
  scoring: (run: string, name: string): LedgerKey => ({ partition: `run/${run}/scorings`, sort: name }),
  /** Runs of whose caps a worker holds a part, for the sweeper. */
  holding: (worker: string, run: string): LedgerKey => ({ partition: `holdings/${worker}`, sort: run }),
  worker: (worker: string): LedgerKey => ({ partition: 'workers', sort: worker }),
  reservation: (worker: string, call: string): LedgerKey => ({
    partition: `reservations/${worker}`,
    sort: call,
  }),
}
