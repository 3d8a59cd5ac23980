import type { ApiServices, TenantServices } from '../../../functions/api/api-services.ts'
import {
  callsExample,
  growthExample,
  journalDigestExample,
  nodeExample,
  tokensExample,
  usesExample,
  waterfallExample,
} from '../../../functions/api/openapi/inspection-examples.ts'
import { judgementExample, scoreExample } from '../../../functions/api/openapi/judgement-examples.ts'
import {
  actionExample,
  libraryExample,
  memoryExample,
  noteExample,
} from '../../../functions/api/openapi/learned-examples.ts'
import {
  factsExample,
  importExample,
  rejectionExample,
} from '../../../functions/api/openapi/trajectory-examples.ts'
import { hitsExample } from '../../../functions/api/openapi/transcript-examples.ts'
import type { Dataset, DatasetPreviewRow } from '../../../shared/core/contracts/dataset.ts'
import { EspalierError } from '../../../shared/core/contracts/errors.ts'
import type { ApiKey } from '../../../shared/core/contracts/key.ts'
import type { Experiment } from '../../../shared/core/contracts/labels.ts'
import { toList } from '../../../shared/core/contracts/list.ts'
import type { Loop } from '../../../shared/core/contracts/loop.ts'
import type { MemoryNote } from '../../../shared/core/contracts/memory.ts'
import type { NodeDetail } from '../../../shared/core/contracts/node-detail.ts'
import { unknownProvenance } from '../../../shared/core/contracts/provenance.ts'
import type { RolloutRun } from '../../../shared/core/contracts/rollout.ts'
import type { Run, RunRequest, RunStatus } from '../../../shared/core/contracts/run.ts'
import type { RunEvent } from '../../../shared/core/contracts/run-event.ts'
import type { Training } from '../../../shared/core/contracts/training.ts'
import type { StoredOrLive } from '../../../shared/core/engine/runs/runs.ts'
import { queuedEpisode } from '../../builders/episodes.ts'
import { makeRun } from '../../builders/runs.ts'

import {
  absent,
  aMethod,
  anEmptyPreview,
  anEstimate,
  crafting,
  noPlays,
  toDataset,
  toKey,
  toTenantLimits,
} from './fake-answers.ts'

/** Services that remember what they were asked and answer from memory, for what is HTTP's own concern. */
export class FakeServices implements ApiServices {
  readonly calls: { name: string; given: unknown[] }[] = []
  readonly stored = new Map<string, Run>()
  plays: ApiServices['plays'] = noPlays
  readonly eventsOf = new Map<string, RunEvent[]>()
  tree: StoredOrLive = { live: { nodes: [] } }
  note: MemoryNote = noteExample
  failure: Error | null = null

  /** Whose services were asked for, in order. */
  readonly tenants: string[] = []

  readonly runs: TenantServices['runs'] = {
    create: async (request, options) =>
      this.#answer('create', [request, options], () => this.addRun(request)),
    plan: async () => {
      throw new Error('No route asks for a plan.')
    },
    changePolicy: async (run, policy) => this.#answer('changePolicy', [run, policy], () => this.#run(run)),
    annotate: async (dataset, request, episodes) =>
      this.#answer('annotate', [dataset, request, episodes], () => this.addRun(request)),
    tokens: async (run, episode) => this.#answer('tokens', [run, episode], () => []),
    label: async (run, change) => this.#answer('label', [run, change], () => this.#run(run)),
    delete: async (run) => this.#answer('delete', [run], () => undefined),
    experiments: async (query) => this.#answer('experiments', [query], () => toList<Experiment>([], false)),
    get: async (run) => this.#answer('get', [run], () => this.#run(run)),
    list: async (query) => this.#answer('list', [query], () => toList([...this.stored.values()], false)),
    pause: async (run) => this.#answer('pause', [run], () => this.setStatus(run, 'paused')),
    resume: async (run, request) =>
      this.#answer('resume', [run, request], () => this.setStatus(run, 'running')),
    cancel: async (run) => this.#answer('cancel', [run], () => this.setStatus(run, 'cancelled')),
    extend: async (run, request) =>
      this.#answer('extend', [run, request], () => this.setStatus(run, 'running')),
    retry: async (run) => this.#answer('retry', [run], () => this.setStatus(run, 'running')),
    episodes: async (run, query) => this.#answer('episodes', [run, query], () => toList([], false)),
    episode: async (run, episode) =>
      this.#answer('episode', [run, episode], () => {
        const { id } = this.#run(run)
        return queuedEpisode(0, 'textcraft-1-stick', { run: id })
      }),
    tree: async (run, episode) => this.#answer('tree', [run, episode], () => this.tree),
    journal: async (run, episode) => this.#answer('journal', [run, episode], () => []),
    trajectory: async (run, episode) => this.#answer('trajectory', [run, episode], () => this.tree),
    events: async (run, { after, limit }) =>
      this.#answer('events', [run, { after, limit }], () =>
        (this.eventsOf.get(run) ?? []).filter(({ sequence }) => sequence > after).slice(0, limit),
      ),
  }

  readonly forecasts: TenantServices['forecasts'] = {
    estimate: async (request) => this.#answer('estimate', [request], () => anEstimate),
  }

  readonly reports: TenantServices['reports'] = {
    report: async (run) => this.#answer('report', [run], () => this.#absent('report')),
    compare: async (runs) => this.#answer('compare', [runs], () => this.#absent('run')),
    leaderboard: async (selection) => this.#answer('leaderboard', [selection], () => this.#absent('runs')),
    success: async (runs) => this.#answer('success', [runs], () => this.#absent('run')),
    curve: async (run, over) => this.#answer('curve', [run, over], () => this.#absent('run')),
    curves: async (runs, over) => this.#answer('curves', [runs, over], () => this.#absent('run')),
  }

  rows: DatasetPreviewRow[] = []

  readonly datasets: TenantServices['datasets'] = {
    create: async (request, options) =>
      this.#answer('createDataset', [request, options], () => toDataset(request)),
    preview: async (request) =>
      this.#answer('previewDataset', [request], () => ({ ...anEmptyPreview, request })),
    readme: async (dataset) => this.#answer('readme', [dataset], () => '# Sticks'),
    rows: async (dataset, query) => this.#answer('rows', [dataset, query], () => toList(this.rows, false)),
    label: async (id, change) => this.#answer('labelDataset', [id, change], () => this.#absent('dataset')),
    delete: async (id) => this.#answer('deleteDataset', [id], () => undefined),
    get: async (dataset) => this.#answer('getDataset', [dataset], () => this.#absent('dataset')),
    list: async (query) => this.#answer('listDatasets', [query], () => toList<Dataset>([], false)),
    pictures: async () => [],
    files: async (dataset) =>
      this.#answer('files', [dataset], () =>
        ['manifest.json', 'data-00001.jsonl.gz'].map((name) => ({
          name,
          rows: null,
          bytes: 10,
          sha256: 'ab',
          key: `datasets/${dataset}/${name}`,
        })),
      ),
  }

  readonly trainings: TenantServices['trainings'] = {
    checkPlanned: async () => undefined,
    create: async (request) => this.#answer('createTraining', [request], () => this.#absent('training')),
    get: async (id) => this.#answer('getTraining', [id], () => this.#absent('training')),
    list: async (query) => this.#answer('listTrainings', [query], () => toList<Training>([], false)),
    cancel: async (id) => this.#answer('cancelTraining', [id], () => this.#absent('training')),
    pause: async (id) => this.#answer('pauseTraining', [id], () => this.#absent('training')),
    resume: async (id) => this.#answer('resumeTraining', [id], () => this.#absent('training')),
    metrics: async (id) => this.#answer('metrics', [id], () => this.#absent('training')),
    registerCheckpoint: async (id, step) =>
      this.#answer('registerCheckpoint', [id, step], () => this.#absent('training')),
  }

  trainers = () => []
  readonly keepsModels = true

  workers = async () => []

  readonly memories: TenantServices['memories'] = {
    memories: async (query) => this.#answer('listMemories', [query], () => toList([memoryExample], false)),
    memory: async (id) => this.#answer('getMemory', [id], () => this.#absent('memory')),
    notes: async (id, query) => this.#answer('listNotes', [id, query], () => toList([this.note], false)),
    libraries: async (query) => this.#answer('listLibraries', [query], () => toList([libraryExample], false)),
    library: async (id) => this.#answer('getLibrary', [id], () => this.#absent('library')),
    actions: async (id, query) =>
      this.#answer('listActions', [id, query], () => toList([actionExample], false)),
  }

  detail: NodeDetail = nodeExample

  readonly inspection: TenantServices['inspection'] = {
    calls: async (run, episode) => this.#answer('calls', [run, episode], () => callsExample),
    growth: async (run, episode) => this.#answer('growth', [run, episode], () => growthExample),
    waterfall: async (run, episode) => this.#answer('waterfall', [run, episode], () => waterfallExample),
    node: async (run, episode, node) => this.#answer('node', [run, episode, node], () => this.detail),
    tokens: async (run, episode) => this.#answer('tokens', [run, episode], () => tokensExample),
    journalDigest: async (run, episode) =>
      this.#answer('journalDigest', [run, episode], () => journalDigestExample),
    noteUses: async (memory, query) => this.#answer('noteUses', [memory, query], () => usesExample),
  }

  readonly judgements: TenantServices['judgements'] = {
    list: async (run, query) =>
      this.#answer('listJudgements', [run, query], () => toList([judgementExample], false)),
    scores: async (run) => this.#answer('listScores', [run], () => toList([scoreExample], false)),
    record: async (run, scores) => this.#answer('recordScores', [run, scores], () => [judgementExample]),
    report: async (run, name, query) =>
      this.#answer('scoreReport', [run, name, query], () => this.#absent('name')),
    counter: async () => ({ isEmpty: true, add: () => undefined, figures: () => [] }),
    judge: async (place, request) => this.#answer('judge', [place, request], () => judgementExample),
    withdraw: async (place) => this.#answer('withdraw', [place], () => judgementExample.id),
  }

  readonly scorings: TenantServices['scorings'] = {
    advance: async (run, request) => this.#answer('scoring', [run, request], () => this.#absent('run')),
  }

  readonly trajectories: TenantServices['trajectories'] = {
    create: async (request, body, options) =>
      this.#answer('createImport', [request, body, options], () => importExample),
    append: async (id, body, options) => this.#answer('append', [id, body, options], () => importExample),
    label: async (id, change) => this.#answer('labelImport', [id, change], () => this.#absent('import')),
    delete: async (id) => this.#answer('deleteImport', [id], () => undefined),
    get: async (id) => this.#answer('getImport', [id], () => this.#absent('import')),
    list: async (query) => this.#answer('listImports', [query], () => toList([importExample], false)),
    page: async (id, query) => this.#answer('listImported', [id, query], () => toList([factsExample], false)),
    rejections: async (id, query) =>
      this.#answer('listRejections', [id, query], () => toList([rejectionExample], false)),
    facts: (id) => this.#answer('facts', [id], () => this.#absent('import')),
    trees: async (id, part) => this.#answer('trees', [id, part], () => new Map()),
  }

  readonly transcripts: TenantServices['transcripts'] = {
    search: async (query) => this.#answer('searchTranscripts', [query], () => hitsExample),
    forget: async (run) => this.#answer('forgetTranscripts', [run], () => undefined),
  }

  readonly removal: TenantServices['removal'] = {
    run: async (id) => this.#answer('removeRun', [id], () => this.#absent('run')),
    dataset: async (id) => this.#answer('removeDataset', [id], () => this.#absent('dataset')),
    import: async (id) => this.#answer('removeImport', [id], () => this.#absent('import')),
  }

  readonly loops: NonNullable<TenantServices['loops']> = {
    create: async (request, options) =>
      this.#answer('createLoop', [request, options], () => this.#absent('loop')),
    plan: async (request) => this.#answer('planLoop', [request], () => this.#absent('loop')),
    get: async (loop) => this.#answer('getLoop', [loop], () => this.#absent('loop')),
    list: async (query) => this.#answer('listLoops', [query], () => toList<Loop>([], false)),
    report: async (loop) => this.#answer('loopReport', [loop], () => this.#absent('loop')),
    pause: async (loop) => this.#answer('pauseLoop', [loop], () => this.#absent('loop')),
    resume: async (loop, change) => this.#answer('resumeLoop', [loop, change], () => this.#absent('loop')),
    cancel: async (loop) => this.#answer('cancelLoop', [loop], () => this.#absent('loop')),
  }

  readonly rollouts: TenantServices['rollouts'] = {
    create: async (request, options) =>
      this.#answer('createRollout', [request, options], () => this.#absent('rollout')),
    get: async (id) => this.#answer('getRollout', [id], () => this.#absent('rollout')),
    list: async (query) => this.#answer('listRollouts', [query], () => toList<RolloutRun>([], false)),
    cancel: async (id) => this.#answer('cancelRollout', [id], () => this.#absent('rollout')),
    changePolicy: async (id, change) =>
      this.#answer('changePolicy', [id, change], () => this.#absent('rollout')),
    groups: async (id, query) => this.#answer('groups', [id, query], () => this.#absent('rollout')),
    figures: async (id, query) => this.#answer('figures', [id, query], () => this.#absent('rollout')),
    credit: async (run, episode) => this.#answer('credit', [run, episode], () => this.#absent('episode')),
    group: async (id, index, form) => this.#answer('group', [id, index, form], () => this.#absent('rollout')),
  }

  readonly keys: ApiServices['keys'] = {
    create: async (tenant, request) =>
      this.#answer('createKey', [tenant, request], () => ({ ...toKey(tenant, request), key: 'esp_secret' })),
    list: async (tenant, query) => this.#answer('listKeys', [tenant, query], () => toList<ApiKey>([], false)),
    find: async () => null,
    revoke: async (tenant, id) => this.#answer('revokeKey', [tenant, id], () => undefined),
    verify: async () => null,
  }

  readonly limits: ApiServices['limits'] = {
    get: async (tenant) => this.#answer('getLimits', [tenant], () => toTenantLimits(tenant, {})),
    set: async (tenant, limits) =>
      this.#answer('setLimits', [tenant, limits], () => toTenantLimits(tenant, limits)),
  }

  readonly catalogue: ApiServices['catalogue'] = {
    environments: async () => [crafting],
    environment: async (id) => {
      if (id === crafting.id) return crafting
      throw new EspalierError('not_found', `There is no environment "${id}".`, { param: 'environment' })
    },
    tasks: async () =>
      toList([{ id: 't', object: 'task', split: 'test', type: 'depth-1', description: 'One.' }], false),
    methods: () => [aMethod],
    endpoints: async () => [
      {
        id: 'simulated',
        object: 'endpoint',
        kind: 'simulated',
        models: [],
        priced: true,
        ready: true,
        note: null,
        origin: 'configured',
      },
    ],
  }

  readonly put: string[] = []
  readonly objects: ApiServices['objects'] = {
    get: async () => null,
    put: async (key) => {
      this.put.push(key)
      return { written: true, etag: '"1"' }
    },
    sign: async (key, { file_name }) => ({
      url: `/v1/files/${key}?file_name=${file_name}&signature=s`,
      expires_at: new Date(Date.UTC(2030, 0)),
    }),
  }

  readonly endpoints: ApiServices['endpoints'] = {
    list: async () => [],
    get: absent,
    add: absent,
    change: absent,
    remove: absent,
    test: absent,
  }

  readonly models: TenantServices['models'] = {
    register: absent,
    putPart: absent,
    get: absent,
    list: async () => toList([], false),
    lineage: absent,
    delete: absent,
    readFile: absent,
    materialize: absent,
  }

  readonly servers: TenantServices['servers'] = {
    serve: absent,
    stop: absent,
    list: async () => [],
    get: absent,
  }

  health: ApiServices['health'] = {
    now: () => ({ status: 'ok', version: '0.1.0', world: 'local' }),
    probe: async () => ({ status: 'ok', version: '0.1.0', world: 'local' }),
  }

  tenant(name: string): TenantServices {
    this.tenants.push(name)
    const { datasets, forecasts, inspection, loops, memories, models, reports, runs } = this
    const { servers, trainings, trajectories } = this
    return {
      runs,
      forecasts,
      reports,
      datasets,
      loops,
      memories,
      inspection,
      trainings,
      trajectories,
      transcripts: this.transcripts,
      judgements: this.judgements,
      scorings: this.scorings,
      questions: { estimate: absent, ask: absent },
      rollouts: this.rollouts,
      removal: this.removal,
      models,
      servers,
    }
  }

  addRun(request: RunRequest): Run {
    const run: Run = {
      ...makeRun({
        id: `run-${this.stored.size + 1}`,
        started_at: null,
        running_seconds: 0,
        episodes: { active: 1 },
      }),
      provenance: unknownProvenance,
      request: request as Run['request'],
    }
    this.stored.set(run.id, run)
    return run
  }

  setStatus(id: string, status: RunStatus): Run {
    const run = { ...this.#run(id), status }
    this.stored.set(id, run)
    return run
  }

  addEvent(run: string, status: RunStatus): void {
    const events = this.eventsOf.get(run) ?? []
    const created_at = '2026-11-21T09:00:00.000Z'
    events.push({ type: 'run.status', sequence: events.length + 1, created_at, status, reason: null })
    this.eventsOf.set(run, events)
  }

  #run(id: string): Run {
    return this.stored.get(id) ?? this.#absent('run')
  }

  #absent(kind: string): never {
    throw new EspalierError('not_found', `There is no such ${kind}.`, { param: kind })
  }

  #answer<Answer>(name: string, given: unknown[], answer: () => Answer): Answer {
    this.calls.push({ name, given })
    if (this.failure !== null) throw this.failure
    return answer()
  }
}
