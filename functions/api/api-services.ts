import type { Keys } from '../../shared/core/auth/open-keys.ts'
import type {
  EndpointInfo,
  EnvironmentInfo,
  MethodInfo,
  TaskInfo,
} from '../../shared/core/contracts/catalogue.ts'
import type { List, ListQuery } from '../../shared/core/contracts/list.ts'
import type { WorkerInfo } from '../../shared/core/contracts/machine.ts'
import type { TrainerInfo } from '../../shared/core/contracts/training.ts'
import type { Memories } from '../../shared/core/engine/memories/open-memories.ts'
import type { Runs } from '../../shared/core/engine/runs/runs.ts'
import type { LimitsOfTenants } from '../../shared/core/engine/spending/open-tenant-limits.ts'
import type { World } from '../../shared/core/world/ports.ts'
import type { Datasets } from '../../shared/data/datasets/open-datasets.ts'
import type { Trajectories } from '../../shared/data/trajectories/open-trajectories.ts'
import type { PlaySessions } from '../../shared/environments/playing/play-sessions.ts'
import type { Inspection } from '../../shared/insight/inspection/inspection.ts'
import type { Questions } from '../../shared/insight/inspection/open-questions.ts'
import type { Judgements } from '../../shared/insight/judgements/open-judgements.ts'
import type { Scorings } from '../../shared/insight/judgements/open-scorings.ts'
import type { Reports } from '../../shared/insight/reports/open-reports.ts'
import type { Transcripts } from '../../shared/insight/transcripts/open-transcripts.ts'
import type { Loops } from '../../shared/learn/loops/open-loops.ts'
import type { ModelRegistry } from '../../shared/learn/registry/model-registry.ts'
import type { Rollouts } from '../../shared/learn/rollouts/rollouts.ts'
import type { ModelServers } from '../../shared/learn/serving/model-servers.ts'
import type { Trainings } from '../../shared/learn/trainings/trainings.ts'
import type { Forecasts } from '../../shared/play/methods/forecast/open-forecasts.ts'
import type { EndpointAdministration } from '../../shared/play/models/open-endpoints.ts'

export interface ApiServices {
  tenant(name: string): TenantServices
  keys: Keys
  limits: LimitsOfTenants
  catalogue: Catalogue
  endpoints: EndpointAdministration
  trainers(): TrainerInfo[]
  workers(tenant: string): Promise<WorkerInfo[]>
  objects: Pick<World['objects'], 'get' | 'put' | 'sign'>
  /** Tasks that people play by hand. Absent if the processes of the service share no memory, or it plays nothing. */
  readonly plays?: PlaySessions | undefined
  /** True if models may be registered. The functions of a stage have no rights to weights, and nothing to serve them. */
  readonly keepsModels: boolean
  health: HealthServices
}

export interface TenantServices {
  runs: Runs
  forecasts: Forecasts
  reports: Reports
  datasets: Datasets
  trainings: Trainings
  rollouts: Rollouts
  memories: Memories
  inspection: Inspection
  trajectories: Trajectories
  transcripts: Transcripts
  judgements: Judgements
  scorings: Scorings
  questions: Questions
  removal: Removal
  models: ModelRegistry
  servers: ModelServers
  /** Absent if the service neither trains nor serves models. */
  loops?: Loops
}

/**
 * Deletes objects that nothing refers to. Each throws an EspalierError: `not_found`, or `invalid_state` if the object
 * has not ended or is referred to.
 */
export interface Removal {
  run(run: string): Promise<void>
  dataset(dataset: string): Promise<void>
  import(id: string): Promise<void>
}

export interface Catalogue {
  environments(): Promise<EnvironmentInfo[]>
  /** @throws EspalierError `not_found`, as `tasks` does */
  environment(id: string, data?: string): Promise<EnvironmentInfo>
  tasks(environment: string, query: TaskQuery): Promise<List<TaskInfo>>
  methods(): MethodInfo[]
  endpoints(tenant: string): Promise<EndpointInfo[]>
}

export type TaskQuery = ListQuery & {
  split?: string | undefined
  type?: string | undefined
  data?: string | undefined
}

/** Each throws an EspalierError if the service cannot work, for example `storage_failed`. */
export interface HealthServices {
  now(): Health
  probe(): Promise<Health>
}

export interface Health {
  status: 'ok'
  version: string
  world: World['name']
  /** Running and wanted worker processes. Absent if the service does not run its own workers. */
  workers?: { wanted: number; playing: number }
  damaged?: number
  sessions?: true
}
