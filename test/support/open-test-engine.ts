import { randomUUID } from 'node:crypto'
import { onTestFinished } from 'vitest'
import { type Run, type RunRequestInput, runRequestSchema } from '../../shared/core/contracts/run.ts'
import { WorkerLogs } from '../../shared/core/engine/log/worker-logs.ts'
import { openMemoryReader } from '../../shared/core/engine/memories/open-memory-reader.ts'
import {
  type EngineOptions,
  openEngine,
  type Engine as TenantsEngine,
} from '../../shared/core/engine/open-engine.ts'
import type { Runs } from '../../shared/core/engine/runs/runs.ts'
import type { ReconcileCall } from '../../shared/core/engine/spending/settle-block.ts'
import type { World } from '../../shared/core/world/ports.ts'
import type { Environment } from '../../shared/environments/environment.ts'
import type { SessionSource } from '../../shared/environments/session-source.ts'
import { createEpisodePrograms } from '../../shared/play/methods/episode-programs.ts'
import { openMethods } from '../../shared/play/methods/methods.ts'
import type { ModelsByEndpoint } from '../../shared/play/methods/model-calls.ts'
import { createRunPlanner, type PlannerOptions } from '../../shared/play/methods/plan-run.ts'
import type { ChatModel } from '../../shared/play/models/chat-model.ts'
import { createHashEnvironment } from './hash-environment.ts'
import { createHashModel } from './hash-model.ts'
import { onlyModel } from './only-model.ts'
import { onlyEnvironment } from './test-environment.ts'

export interface TestEngineOptions {
  world: World
  environment?: Environment
  /** Where an environment is played that does not run in the worker. */
  sessions?: SessionSource
  model?: ChatModel
  /** In place of `model`, the models of every endpoint. */
  models?: ModelsByEndpoint
  probes?: EngineOptions['probes']
  isPriced?: PlannerOptions['isPriced']
  /** By default the endpoint keeps no log of its calls. */
  reconcile?: ReconcileCall
  probeDelays?: readonly number[]
  worker?: string
  code?: string
  capacity?: number
  deaths?: EngineOptions['deaths']
  /** See the worker's own options. */
  hiddenFor?: number
  mayTake?: () => boolean
  groupFor?: number
}

/** For tests whose environment runs in the worker. */
export const noSessions: SessionSource = {
  open: () => Promise.reject(new Error('This test has no hosts.')),
}

/** An engine whose runs are those of one tenant. */
export interface TestEngine extends Omit<TenantsEngine, 'runs'> {
  runs: Runs
  tenants: TenantsEngine['runs']
  errors: unknown[]
}

/** The hash environment with as many tasks as wanted. */
export function withTasks<Kind extends Environment>(environment: Kind, count: number): Kind {
  const tasks = Array.from({ length: count }, (_, index) => ({
    id: `task-${index}`,
    split: 'test',
    type: 'any',
    description: 'any',
  }))
  return { ...environment, tasks: () => tasks }
}

/** An engine over a world that is shared or not; stopped when the test ends. Its worker is not started. */
export function openTestEngine(options: TestEngineOptions): TestEngine {
  const environment = options.environment ?? withTasks(createHashEnvironment(1), 20)
  const model = options.model ?? createHashModel()
  const environments = onlyEnvironment(environment)
  const worker = options.worker ?? `worker-${randomUUID()}`
  const errors: unknown[] = []
  const engine = openEngine({
    world: options.world,
    planner: createRunPlanner({
      methods: openMethods(),
      environments,
      isPriced: options.isPriced ?? (() => true),
    }),
    programs: createEpisodePrograms({
      methods: openMethods(),
      environments,
      sessions: () => options.sessions ?? noSessions,
      worker,
      models: options.models ?? onlyModel(model),
      memories: openMemoryReader(options.world),
      version: 'test',
    }),
    reconcile: options.reconcile ?? (async () => 'unknown'),
    code: options.code ?? 'code',
    capacity: options.capacity ?? 64,
    onError: (error) => errors.push(error),
    worker,
    ...(options.deaths && { deaths: options.deaths }),
    ...(options.hiddenFor !== undefined && { hiddenFor: options.hiddenFor }),
    ...(options.groupFor !== undefined && { logs: new WorkerLogs(options.world, options.groupFor) }),
    ...(options.mayTake && { mayTake: options.mayTake }),
    ...(options.probes && { probes: options.probes }),
    ...(options.probeDelays && { probeDelays: options.probeDelays }),
  })
  onTestFinished(() => engine.worker.stop(1))
  return { ...engine, runs: engine.runs.of('default'), tenants: engine.runs, errors }
}

export function toRequest(request: Partial<RunRequestInput> = {}) {
  return runRequestSchema.parse({
    environment: 'textcraft',
    method: { id: 'react' },
    model: { endpoint: 'test', id: 'test' },
    ...request,
  })
}

/** Waits until the run is in one of the statuses. */
export async function untilStatus(
  { runs }: Pick<TestEngine, 'runs'>,
  run: string,
  ...statuses: Run['status'][]
): Promise<Run> {
  for (;;) {
    const now = await runs.get(run)
    if (statuses.includes(now.status)) return now
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
