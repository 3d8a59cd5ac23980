import type { EndpointInfo, EnvironmentInfo, MethodInfo, TaskInfo } from '../contracts/catalogue.ts'
import type { BudgetKind, Curves } from '../contracts/curve.ts'
import type {
  Dataset,
  DatasetFormatInfo,
  DatasetKindInfo,
  DatasetPreviewRow,
  DatasetRequestInput,
  signedFileSchema,
} from '../contracts/dataset.ts'
import type { DatasetPreview } from '../contracts/dataset-preview.ts'
import type {
  EndpointAddition,
  EndpointChange,
  EndpointDetail,
  EndpointTest,
  EndpointTestRequest,
} from '../contracts/endpoint.ts'
import type { Episode } from '../contracts/episode.ts'
import type { RunEstimate } from '../contracts/estimate.ts'
import type { Growth } from '../contracts/growth.ts'
import type { Json, JsonObject } from '../contracts/json.ts'
import type { ApiKey, CreatedKey, KeyRequest } from '../contracts/key.ts'
import type { Library, LibraryAction } from '../contracts/library.ts'
import type { List } from '../contracts/list.ts'
import type { Loop, LoopRequestInput, ResumeLoop } from '../contracts/loop.ts'
import type { LoopPlan, LoopReport } from '../contracts/loop-report.ts'
import type { LoopRecipeInfo } from '../contracts/loop-settings.ts'
import type { Memory, MemoryNote, NoteUses } from '../contracts/memory.ts'
import type { ModelServer, ServeRequest } from '../contracts/model-server.ts'
import type { NodeDetail } from '../contracts/node-detail.ts'
import type { PresetInfo } from '../contracts/preset.ts'
import type { ModelLineage, RegisteredModel, RegisteredModelRequest } from '../contracts/registered-model.ts'
import type { Comparison, IntervalKind, Report, SuccessRates } from '../contracts/report.ts'
import type { ExtendRequest, ResumeRequest, Run, RunRequestInput } from '../contracts/run.ts'
import type { TenantLimits, TenantLimitsRequest } from '../contracts/tenant-limits.ts'
import type {
  ResumeTraining,
  TrainerInfo,
  Training,
  TrainingPoint,
  TrainingRecipeInfo,
  TrainingRequestInput,
} from '../contracts/training.ts'
import type { Trajectory } from '../contracts/trajectory.ts'
import type {
  ImportedFacts,
  ImportSettingsInput,
  Rejection,
  TrajectoryImport,
} from '../contracts/trajectory-import.ts'
import type { Tree } from '../contracts/tree.ts'
import { type FollowOptions, followEvents } from './follow-events.ts'
import type { Query, Transport } from './transport.ts'

export type SignedFile = ReturnType<typeof signedFileSchema.parse>
export type RunAction = 'cancel' | 'pause' | 'resume' | 'extend' | 'retry'
export type ApiClient = ReturnType<typeof createApiClient>

/**
 * The HTTP API as typed functions. Every call throws ApiError where the service refuses, and ConnectionError where no
 * service answers.
 */
export function createApiClient(transport: Transport) {
  const get = <Answer>(path: string, query: Query = {}) => transport.json<Answer>('GET', path, { query })
  const post = <Answer>(path: string, body: unknown, headers: Record<string, string> = {}) =>
    transport.json<Answer>('POST', path, { body, headers })
  const postForText = async (path: string, format: string, body: unknown): Promise<string> =>
    (await transport.send('POST', path, { body, query: { format } })).text()
  const runPath = (run: string) => `/v1/runs/${encodeURIComponent(run)}`
  const episodePath = (run: string, episode: string) =>
    `${runPath(run)}/episodes/${encodeURIComponent(episode)}`
  const datasetPath = (dataset: string) => `/v1/datasets/${encodeURIComponent(dataset)}`
  const loopPath = (loop: string) => `/v1/loops/${encodeURIComponent(loop)}`
  const trainingPath = (training: string) => `/v1/trainings/${encodeURIComponent(training)}`
  const importPath = (id: string) => `/v1/trajectories/${encodeURIComponent(id)}`
  const memoryPath = (memory: string) => `/v1/memories/${encodeURIComponent(memory)}`
  const endpointPath = (name: string) => `/v1/endpoints/${encodeURIComponent(name)}`
  const modelPath = (model: string) => `/v1/registered-models/${encodeURIComponent(model)}`
  const libraryPath = (library: string) => `/v1/libraries/${encodeURIComponent(library)}`

  return {
    address: transport.address,
    health: () => get<JsonObject>('/health'),
    environments: () => get<List<EnvironmentInfo>>('/v1/environments', { limit: 1000 }),
    environment: (id: string, query: Query = {}) =>
      get<EnvironmentInfo>(`/v1/environments/${encodeURIComponent(id)}`, query),
    tasks: (id: string, query: Query) =>
      get<List<TaskInfo>>(`/v1/environments/${encodeURIComponent(id)}/tasks`, query),
    methods: () => get<List<MethodInfo>>('/v1/methods', { limit: 1000 }),
    method: (id: string) => get<MethodInfo>(`/v1/methods/${encodeURIComponent(id)}`),
    presets: () => get<List<PresetInfo>>('/v1/presets', { limit: 1000 }),
    preset: (id: string) => get<PresetInfo>(`/v1/presets/${encodeURIComponent(id)}`),
    models: () => get<List<EndpointInfo>>('/v1/models', { limit: 1000 }),
    endpoints: () => get<List<EndpointDetail>>('/v1/endpoints', { limit: 1000 }),
    endpoint: (name: string) => get<EndpointDetail>(endpointPath(name)),
    addEndpoint: (request: EndpointAddition | Json) => post<EndpointDetail>('/v1/endpoints', request),
    changeEndpoint: (name: string, change: EndpointChange | Json) =>
      transport.json<EndpointDetail>('PUT', endpointPath(name), { body: change }),
    removeEndpoint: async (name: string): Promise<void> => {
      await transport.send('DELETE', endpointPath(name))
    },
    testEndpoint: (name: string, request: EndpointTestRequest = {}) =>
      post<EndpointTest>(`${endpointPath(name)}/test`, request),
    registerModel: (request: RegisteredModelRequest | Json, idempotencyKey: string) =>
      post<RegisteredModel>('/v1/registered-models', request, { 'Idempotency-Key': idempotencyKey }),
    registeredModels: (query: Query = {}) => get<List<RegisteredModel>>('/v1/registered-models', query),
    registeredModel: (model: string) => get<RegisteredModel>(modelPath(model)),
    modelLineage: (model: string) => get<ModelLineage>(`${modelPath(model)}/lineage`),
    deleteModel: async (model: string): Promise<void> => {
      await transport.send('DELETE', modelPath(model))
    },
    putWeightPart: async (sha256: string, bytes: Uint8Array): Promise<void> => {
      await transport.send('PUT', `/v1/weight-parts/${sha256}`, { bytes })
    },
    serveModel: (model: string, request: ServeRequest = {}) =>
      post<ModelServer>(`${modelPath(model)}/serve`, request),
    stopModel: async (model: string): Promise<void> => {
      await transport.send('POST', `${modelPath(model)}/stop`)
    },
    modelServers: () => get<List<ModelServer>>('/v1/model-servers', { limit: 1000 }),
    /** The same key and request make one run, however often they are sent. */
    createRun: (request: RunRequestInput | Json, idempotencyKey: string) =>
      post<Run>('/v1/runs', request, { 'Idempotency-Key': idempotencyKey }),
    /** What the run would take; nothing is stored. */
    estimateRun: (request: RunRequestInput | Json, signal?: AbortSignal) =>
      transport.json<RunEstimate>('POST', '/v1/runs', {
        body: request,
        query: { dry_run: 'true' },
        ...(signal && { signal }),
      }),
    run: (run: string) => get<Run>(runPath(run)),
    runs: (query: Query) => get<List<Run>>('/v1/runs', query),
    changeRun: (run: string, change: RunAction, body: ResumeRequest | ExtendRequest = {}) =>
      post<Run>(`${runPath(run)}/${change}`, body),
    episodes: (run: string, query: Query) => get<List<Episode>>(`${runPath(run)}/episodes`, query),
    episode: (run: string, episode: string) => get<Episode>(episodePath(run, episode)),
    tree: (run: string, episode: string) => get<Tree>(`${episodePath(run, episode)}/tree`),
    trajectory: (run: string, episode: string) => get<Trajectory>(`${episodePath(run, episode)}/trajectory`),
    growth: (run: string, episode: string) => get<Growth>(`${episodePath(run, episode)}/growth`),
    node: (run: string, episode: string, index: number) =>
      get<NodeDetail>(`${episodePath(run, episode)}/nodes/${index}`),
    report: (run: string, query: Query = {}) => get<Report>(`${runPath(run)}/report`, query),
    compare: (runs: string[], options: { interval?: IntervalKind } = {}) =>
      post<Comparison>('/v1/reports/compare', { runs, ...options }),
    success: (runs: readonly string[]) => get<SuccessRates>('/v1/reports/success', { runs: runs.join(',') }),
    /** Of one run or more, at the same budgets. */
    curves: (runs: string[], over: BudgetKind) => post<Curves>('/v1/reports/curves', { runs, over }),
    /** A comparison as a table for programs or a page of Markdown. */
    compareAs: (format: 'csv' | 'md', runs: string[], options: { interval?: IntervalKind } = {}) =>
      postForText('/v1/reports/compare', format, { runs, ...options }),
    curvesAs: (format: 'csv' | 'md', runs: string[], over: BudgetKind) =>
      postForText('/v1/reports/curves', format, { runs, over }),
    memories: (query: Query) => get<List<Memory>>('/v1/memories', query),
    memory: (memory: string) => get<Memory>(memoryPath(memory)),
    notes: (memory: string, query: Query) => get<List<MemoryNote>>(`${memoryPath(memory)}/notes`, query),
    /** Where its notes were shown: in the episodes of its own run, or of the one that the query names. */
    noteUses: (memory: string, query: Query = {}) => get<NoteUses>(`${memoryPath(memory)}/uses`, query),
    libraries: (query: Query) => get<List<Library>>('/v1/libraries', query),
    library: (library: string) => get<Library>(libraryPath(library)),
    actions: (library: string, query: Query) =>
      get<List<LibraryAction>>(`${libraryPath(library)}/actions`, query),
    createDataset: (request: DatasetRequestInput, idempotencyKey: string) =>
      post<Dataset>('/v1/datasets', request, { 'Idempotency-Key': idempotencyKey }),
    /** The first rows that the request would give; nothing is stored, and no model asked. */
    previewDataset: (request: DatasetRequestInput, signal?: AbortSignal) =>
      transport.json<DatasetPreview>('POST', '/v1/datasets', {
        body: request,
        query: { dry_run: 'true' },
        ...(signal && { signal }),
      }),
    dataset: (dataset: string) => get<Dataset>(datasetPath(dataset)),
    datasets: (query: Query) => get<List<Dataset>>('/v1/datasets', query),
    datasetFiles: (dataset: string, query: Query) =>
      get<List<SignedFile>>(`${datasetPath(dataset)}/files`, query),
    /** Its `README.md`: what it is, and how each trainer loads it. */
    datasetReadme: async (dataset: string): Promise<string> =>
      (await transport.send('GET', `${datasetPath(dataset)}/readme`)).text(),
    datasetRows: (dataset: string, query: Query) =>
      get<List<DatasetPreviewRow>>(`${datasetPath(dataset)}/rows`, query),
    datasetKinds: () => get<List<DatasetKindInfo>>('/v1/dataset-kinds', { limit: 1000 }),
    datasetFormats: () => get<List<DatasetFormatInfo>>('/v1/dataset-formats', { limit: 1000 }),
    /** The same key and request make one loop, however often they are sent. */
    createLoop: (request: LoopRequestInput | Json, idempotencyKey: string) =>
      post<Loop>('/v1/loops', request, { 'Idempotency-Key': idempotencyKey }),
    /** What the loop would do; nothing is stored. */
    planLoop: (request: LoopRequestInput | Json) =>
      transport.json<LoopPlan>('POST', '/v1/loops', { body: request, query: { dry_run: 'true' } }),
    loop: (loop: string) => get<Loop>(loopPath(loop)),
    loops: (query: Query) => get<List<Loop>>('/v1/loops', query),
    loopReport: (loop: string) => get<LoopReport>(`${loopPath(loop)}/report`),
    /** The report as a page of Markdown. */
    loopPage: async (loop: string): Promise<string> =>
      (await transport.send('GET', `${loopPath(loop)}/report`, { query: { format: 'markdown' } })).text(),
    changeLoop: (loop: string, change: 'pause' | 'resume' | 'cancel', body: ResumeLoop = {}) =>
      post<Loop>(`${loopPath(loop)}/${change}`, body),
    loopRecipes: () => get<List<LoopRecipeInfo>>('/v1/loop-recipes', { limit: 1000 }),
    /** The same key and request make one training. */
    createTraining: (request: TrainingRequestInput, idempotencyKey: string) =>
      post<Training>('/v1/trainings', request, { 'Idempotency-Key': idempotencyKey }),
    training: (training: string) => get<Training>(trainingPath(training)),
    trainings: (query: Query) => get<List<Training>>('/v1/trainings', query),
    trainingMetrics: (training: string) =>
      get<List<TrainingPoint & { id: string }>>(`${trainingPath(training)}/metrics`),
    cancelTraining: (training: string) => post<Training>(`${trainingPath(training)}/cancel`, {}),
    pauseTraining: (training: string) => post<Training>(`${trainingPath(training)}/pause`, {}),
    resumeTraining: (training: string, change: ResumeTraining = {}) =>
      post<Training>(`${trainingPath(training)}/resume`, change),
    registerCheckpoint: (training: string, step: number) =>
      post<{ model: string }>(`${trainingPath(training)}/checkpoints/${step}/register`, {}),
    trainingRecipes: () => get<List<TrainingRecipeInfo>>('/v1/training-recipes'),
    trainers: () => get<List<TrainerInfo>>('/v1/trainers'),
    /** Announces an import; its rows come by `appendRows`. The same key and settings make one import. */
    createImport: (settings: ImportSettingsInput & { name?: string }, idempotencyKey: string) =>
      transport.json<TrajectoryImport>('POST', '/v1/trajectories', {
        query: { ...settings, more: 'true' } as Query,
        headers: { 'Idempotency-Key': idempotencyKey },
      }),
    /** @param first - the number of the first row; the same rows sent again change nothing */
    appendRows: (id: string, text: string, query: { first: number; more: boolean }) =>
      transport.json<TrajectoryImport>('POST', `${importPath(id)}/rows`, {
        query: { first: query.first, more: String(query.more) },
        text,
        headers: { 'Idempotency-Key': `${id}/${query.first}` },
      }),
    imports: (query: Query) => get<List<TrajectoryImport>>('/v1/trajectories', query),
    import: (id: string) => get<TrajectoryImport>(importPath(id)),
    importedTrajectories: (id: string, query: Query) =>
      get<List<ImportedFacts & { id: string }>>(`${importPath(id)}/trajectories`, query),
    rejections: (id: string, query: Query) => get<List<Rejection>>(`${importPath(id)}/rejections`, query),
    createKey: (request: KeyRequest) => post<CreatedKey>('/v1/keys', request),
    keys: (query: Query) => get<List<ApiKey>>('/v1/keys', query),
    revokeKey: async (key: string): Promise<void> => {
      await transport.send('DELETE', `/v1/keys/${encodeURIComponent(key)}`)
    },
    limits: () => get<TenantLimits>('/v1/limits'),
    setLimits: (request: TenantLimitsRequest) =>
      transport.json<TenantLimits>('PUT', '/v1/limits', { body: request }),
    /** Opens a signed address, which may be a path of this service or an address elsewhere. */
    download: (url: string) => transport.send('GET', url),

    /** A run's events, by default from the first one, for as long as the caller reads. */
    events: (run: string, options: FollowOptions) =>
      followEvents(transport, `${runPath(run)}/events`, options),
  }
}
