import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { TenantServices } from '../../../functions/api/api-services.ts'
import { wireLoops } from '../../../functions/wiring/wire-loops.ts'
import { wireLocalService } from '../../../local/wire-local-service.ts'
import type { Training, TrainingRequest } from '../../../shared/core/contracts/training.ts'
import { openLocalWorld } from '../../../shared/core/world/local/open-local-world.ts'
import { definitions } from '../../../shared/environments/environments.ts'
import { openEnvironments } from '../../../shared/environments/open-environments.ts'
import type { Loops, NextLook, TenantLoops } from '../../../shared/learn/loops/open-loops.ts'
import { loadEndpoints } from '../../../shared/play/models/load-endpoints.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** Skills of the simulated models, from the base on: each training makes the next. */
const skills = [0.1, 0.3, 0.6, 0.8, 0.9, 0.95, 0.98]

export interface RealService {
  own: TenantServices
  loops: TenantLoops
  ofTenant: Loops
  trainings: TrainingRequest[]
  /** Looks at a loop until it has ended or waits. */
  follow(loop: string): Promise<void>
}

/**
 * The real engine, datasets and reports over a local world, with models that are simulated: "training" makes one of a higher skill,
 * "serving" names its endpoint.
 */
export async function openRealService(): Promise<RealService> {
  const world = await openLocalWorld({ folder: await temporaryFolder() })
  const file = join(await temporaryFolder(), 'endpoints.json')
  const named = skills.map((skill, index) => [`skill-${index}`, { kind: 'simulated', skill }])
  await writeFile(file, JSON.stringify({ endpoints: Object.fromEntries(named) }))
  const endpoints = await loadEndpoints({ path: file, environment: {} })
  const errors: unknown[] = []
  const parts = await wireLocalService({
    folder: await temporaryFolder(),
    world,
    endpoints,
    code: 'test',
    capacity: 64,
    onError: (error) => void errors.push(error),
  })
  const builder = parts.datasets.start({ onError: (error) => void errors.push(error) })
  await parts.engine.worker.start()
  onTestFinished(async () => {
    await Promise.all([builder.stop(), parts.engine.worker.stop(1)])
    await parts.models.close()
    await world.close()
  })
  const own = parts.api.tenant('default')
  const trainings = new Map<string, { request: TrainingRequest; level: number }>()
  const levels = new Map([
    ['model-0', 0],
    ['model-3', 3],
  ])
  const byKey = new Map<string, string>()
  const levelOf = ({ base }: TrainingRequest) =>
    'registered' in base ? (levels.get(base.registered) ?? 0) : 0

  function toTraining(id: string): Training {
    const found = trainings.get(id)
    if (found === undefined) throw new Error(`There is no training ${id}.`)
    return {
      id,
      object: 'training',
      name: null,
      status: 'succeeded',
      error: null,
      reason: null,
      created_at: '2026-01-01T00:00:00.000Z',
      started_at: null,
      ended_at: null,
      request: found.request,
      progress: {
        phase: 'done',
        step: 3,
        steps: 3,
        tokens: 100,
        tokens_per_second: null,
        seconds_left: 0,
        waiting_for: null,
      },
      metrics: null,
      rows: {
        total: 1,
        by_dataset: [],
        tokens: null,
        learned_tokens: null,
        longest: null,
        too_long: null,
        truncated: null,
        dropped: null,
      },
      usage: { seconds: 1, cost: 0, starts: 1 },
      checkpoints: [],
      model: id.replace('training', 'model'),
      log_tail: [],
      warnings: [],
    }
  }

  const loops = wireLoops({
    world,
    environments: openEnvironments(definitions, null),
    isSimulated: () => true,
    checkEndpoint: () => undefined,
    services: () => ({
      ...own,
      trainings: {
        checkPlanned: async () => undefined,
        create: async (request, { idempotencyKey }) => {
          const id = byKey.get(idempotencyKey) ?? `training-${trainings.size + 1}`
          byKey.set(idempotencyKey, id)
          const level = Math.min(skills.length - 1, levelOf(request) + 1)
          trainings.set(id, { request, level })
          levels.set(id.replace('training', 'model'), level)
          return toTraining(id)
        },
        get: async (id) => toTraining(id),
        pause: async (id) => toTraining(id),
        cancel: async (id) => toTraining(id),
        resume: async (id) => toTraining(id),
        registerCheckpoint: async (id) => id.replace('training', 'model'),
      },
      registry: {
        get: async (id) => ({ id, name: id, datasets: [] }),
        lineage: async () => ({ steps: [] }),
      },
      servers: {
        serve: async (model) => `skill-${levels.get(model) ?? 0}`,
        stop: async () => undefined,
      },
    }),
  })

  return {
    own,
    loops,
    ofTenant: loops.of('default'),
    get trainings() {
      return [...trainings.values()].map(({ request }) => request)
    },
    async follow(loop) {
      let next: NextLook[] = [{ loop, delay: 0 }]
      while (next[0] !== undefined) {
        next = await loops.handler.advance({ id: loop, look: next[0].look, isRepeated: false })
        await new Promise((resolve) => setTimeout(resolve, 30))
      }
      if (errors.length > 0) throw new AggregateError(errors, 'The service reported errors.')
    },
  }
}
