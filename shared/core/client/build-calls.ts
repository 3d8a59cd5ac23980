import type {
  Dataset,
  DatasetFormatInfo,
  DatasetKindInfo,
  DatasetPreviewRow,
  DatasetRequestInput,
  signedFileSchema,
} from '../contracts/dataset.ts'
import type { DatasetPreview } from '../contracts/dataset-preview.ts'
import type { Json } from '../contracts/json.ts'
import type { Deleted, LabelChange } from '../contracts/labels.ts'
import type { List } from '../contracts/list.ts'
import type { Loop, LoopRequestInput, ResumeLoop } from '../contracts/loop.ts'
import type { LoopPlan, LoopReport } from '../contracts/loop-report.ts'
import type { LoopRecipeInfo } from '../contracts/loop-settings.ts'
import type { WorkerInfo } from '../contracts/machine.ts'
import type { ModelServer, ServeRequest } from '../contracts/model-server.ts'
import type { ModelLineage, RegisteredModel, RegisteredModelRequest } from '../contracts/registered-model.ts'
import type {
  ResumeTraining,
  TrainerInfo,
  Training,
  TrainingPoint,
  TrainingRecipeInfo,
  TrainingRequestInput,
} from '../contracts/training.ts'
import type {
  ImportedFacts,
  ImportSettingsInput,
  Rejection,
  TrajectoryImport,
} from '../contracts/trajectory-import.ts'
import type { Requests } from './requests.ts'
import type { Query } from './transport.ts'

export type SignedFile = ReturnType<typeof signedFileSchema.parse>

export function datasetCalls({ get, patch, post, remove, transport }: Requests) {
  const datasetPath = (dataset: string) => `/v1/datasets/${encodeURIComponent(dataset)}`

  return {
    createDataset: (request: DatasetRequestInput, idempotencyKey: string) =>
      post<Dataset>('/v1/datasets', request, { 'Idempotency-Key': idempotencyKey }),
    previewDataset: (request: DatasetRequestInput, signal?: AbortSignal) =>
      transport.json<DatasetPreview>('POST', '/v1/datasets', {
        body: request,
        query: { dry_run: 'true' },
        ...(signal && { signal }),
      }),
    dataset: (dataset: string) => get<Dataset>(datasetPath(dataset)),
    datasets: (query: Query) => get<List<Dataset>>('/v1/datasets', query),
    labelDataset: (dataset: string, change: LabelChange) => patch<Dataset>(datasetPath(dataset), change),
    deleteDataset: (dataset: string) => remove<Deleted>(datasetPath(dataset)),
    datasetFiles: (dataset: string, query: Query) =>
      get<List<SignedFile>>(`${datasetPath(dataset)}/files`, query),
    datasetReadme: async (dataset: string): Promise<string> =>
      (await transport.send('GET', `${datasetPath(dataset)}/readme`)).text(),
    datasetRows: (dataset: string, query: Query) =>
      get<List<DatasetPreviewRow>>(`${datasetPath(dataset)}/rows`, query),
    datasetKinds: () => get<List<DatasetKindInfo>>('/v1/dataset-kinds', { limit: 1000 }),
    datasetFormats: () => get<List<DatasetFormatInfo>>('/v1/dataset-formats', { limit: 1000 }),
    download: (url: string) => transport.send('GET', url),
  }
}

export function importCalls({ get, patch, remove, transport }: Requests) {
  const importPath = (id: string) => `/v1/trajectories/${encodeURIComponent(id)}`

  return {
    /** Creates an import; `appendRows` adds its rows. Repeating the key and settings creates no second one. */
    createImport: (settings: ImportSettingsInput & { name?: string }, idempotencyKey: string) =>
      transport.json<TrajectoryImport>('POST', '/v1/trajectories', {
        query: { ...settings, more: 'true' } as Query,
        headers: { 'Idempotency-Key': idempotencyKey },
      }),
    /** @param first - the number of the first row; sending the same rows again changes nothing */
    appendRows: (id: string, text: string, query: { first: number; more: boolean }) =>
      transport.json<TrajectoryImport>('POST', `${importPath(id)}/rows`, {
        query: { first: query.first, more: String(query.more) },
        text,
        headers: { 'Idempotency-Key': `${id}/${query.first}` },
      }),
    imports: (query: Query) => get<List<TrajectoryImport>>('/v1/trajectories', query),
    labelImport: (id: string, change: LabelChange) => patch<TrajectoryImport>(importPath(id), change),
    deleteImport: (id: string) => remove<Deleted>(importPath(id)),
    import: (id: string) => get<TrajectoryImport>(importPath(id)),
    importedTrajectories: (id: string, query: Query) =>
      get<List<ImportedFacts & { id: string }>>(`${importPath(id)}/trajectories`, query),
    rejections: (id: string, query: Query) => get<List<Rejection>>(`${importPath(id)}/rejections`, query),
  }
}

export function modelCalls({ get, post, transport }: Requests) {
  const modelPath = (model: string) => `/v1/registered-models/${encodeURIComponent(model)}`

  return {
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
    workers: () => get<List<WorkerInfo>>('/v1/workers', { limit: 1000 }),
    modelServers: () => get<List<ModelServer>>('/v1/model-servers', { limit: 1000 }),
  }
}

export function trainingCalls({ get, post }: Requests) {
  const trainingPath = (training: string) => `/v1/trainings/${encodeURIComponent(training)}`

  return {
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
  }
}

export function loopCalls({ get, post, transport }: Requests) {
  const loopPath = (loop: string) => `/v1/loops/${encodeURIComponent(loop)}`

  return {
    createLoop: (request: LoopRequestInput | Json, idempotencyKey: string) =>
      post<Loop>('/v1/loops', request, { 'Idempotency-Key': idempotencyKey }),
    planLoop: (request: LoopRequestInput | Json) =>
      transport.json<LoopPlan>('POST', '/v1/loops', { body: request, query: { dry_run: 'true' } }),
    loop: (loop: string) => get<Loop>(loopPath(loop)),
    loops: (query: Query) => get<List<Loop>>('/v1/loops', query),
    loopReport: (loop: string) => get<LoopReport>(`${loopPath(loop)}/report`),
    loopPage: async (loop: string): Promise<string> =>
      (await transport.send('GET', `${loopPath(loop)}/report`, { query: { format: 'markdown' } })).text(),
    changeLoop: (loop: string, change: 'pause' | 'resume' | 'cancel', body: ResumeLoop = {}) =>
      post<Loop>(`${loopPath(loop)}/${change}`, body),
    loopRecipes: () => get<List<LoopRecipeInfo>>('/v1/loop-recipes', { limit: 1000 }),
  }
}
