import { onTestFinished } from 'vitest'
import { type Run, type RunRequestInput, runRequestSchema } from '../../shared/core/contracts/run.ts'
import { ledgerKeys, objectKeys } from '../../shared/core/engine/keys.ts'
import { WorkerLogs } from '../../shared/core/engine/log/worker-logs.ts'
import { openMemoryReader } from '../../shared/core/engine/memories/open-memory-reader.ts'
import { type Engine, openEngine } from '../../shared/core/engine/open-engine.ts'
import type { Random } from '../../shared/core/random/random.ts'
import { seededRandom } from '../../shared/core/random/seeded-random.ts'
import type { World } from '../../shared/core/world/ports.ts'
import type { Environment } from '../../shared/environments/environment.ts'
import { createEpisodePrograms } from '../../shared/play/methods/episode-programs.ts'
import { openMethods } from '../../shared/play/methods/methods.ts'
import { createRunPlanner } from '../../shared/play/methods/plan-run.ts'
import type { EndpointModels } from '../../shared/play/models/endpoint-models.ts'
import { ModelError } from '../../shared/play/models/model-error.ts'
import { disturbedWorld } from './disturbed-world.ts'
import { noSessions } from './open-test-engine.ts'
import { onlyEnvironment } from './test-environment.ts'

export interface DisturbedPlay {
  world: World
  environment: Environment
  models: EndpointModels
  request: RunRequestInput
  /** Names the schedule of what goes wrong; null: nothing does. */
  schedule: string | null
  /** Of every other process, if it has logs; the others have none. */
  groupFor?: number
}

export interface DisturbedRun {
  run: Run
  /** What it has left: its trees by their keys, its notes and its actions. */
  left: Record<string, string>
  /** What befell its processes, and why it paused; it was resumed each time. */
  befell: string[]
}

/** How many processes of a disturbed run come to grief before one is left in peace. */
const mostLives = 6

/**
 * Plays a run while its processes are killed at any write, taken for dead while they live, refused by storage, and answered by
 * a model that fails now and then and takes any time; all by a schedule.
 */
export async function playDisturbed(options: DisturbedPlay): Promise<DisturbedRun> {
  const { world, environment, request, schedule } = options
  const random = seededRandom('schedule', schedule ?? '')
  const befell: string[] = []
  let isFinished = false
  const engines: { engine: Engine; die: () => void; worker: string }[] = []

  const expire = (worker: string) =>
    world.ledger.update({ key: ledgerKeys.worker(worker), set: { expires: 0 }, if: [{ is: 'present' }] })

  function open(isDisturbed: boolean, onDeath: () => void) {
    const worker = `life-${engines.length}`
    const view = disturbedWorld(world, {
      random,
      diesAfter: isDisturbed ? 1 + Math.floor(random() ** 2 * 400) : Number.POSITIVE_INFINITY,
      failing: isDisturbed && random() < 0.5 ? 0.03 : 0,
      onDeath() {
        onDeath()
        // Nothing waits for its heartbeat to run out, and what it had begun to write is written by then.
        if (!isFinished) setTimeout(() => void expire(worker), 10)
      },
    })
    const environments = onlyEnvironment(environment)
    const engine = openEngine({
      world: view.world,
      planner: createRunPlanner({ methods: openMethods(), environments, isPriced: () => true }),
      programs: createEpisodePrograms({
        methods: openMethods(),
        environments,
        sessions: () => noSessions,
        worker,
        models: mortal(options.models, random, { isDisturbed, isDead: view.isDead }),
        memories: openMemoryReader(view.world),
        version: 'test',
      }),
      reconcile: async () => 'unknown',
      code: 'code',
      worker,
      ...(engines.length % 2 === 0 &&
        options.groupFor !== undefined && { logs: new WorkerLogs(view.world, options.groupFor) }),
      onError: () => undefined,
    })
    const life = { engine, worker, die: view.die }
    engines.push(life)
    return life
  }

  const first = openEngine({
    world,
    planner: createRunPlanner({
      methods: openMethods(),
      environments: onlyEnvironment(environment),
      isPriced: () => true,
    }),
    programs: { program: () => Promise.reject(new Error('plays nothing')), summarise: async () => null },
    reconcile: async () => 'unknown',
    code: 'code',
    worker: 'api',
    onError: () => undefined,
  })
  const runs = first.runs.of('default')
  const { id } = await runs.create(runRequestSchema.parse(request))
  onTestFinished(() => {
    isFinished = true
    for (const { die } of engines) die()
  })

  let run = await runs.get(id)
  for (let life = 0; run.ended_at === null; life += 1) {
    const isDisturbed = schedule !== null && life < mostLives
    let isOver = false
    const { engine, worker, die } = open(isDisturbed, () => {
      isOver = true
    })
    engine.worker.start().catch(() => undefined)
    const patience = isDisturbed ? 20 + random() * 200 : Number.POSITIVE_INFINITY
    const since = performance.now()
    while (!isOver && run.ended_at === null && performance.now() - since < patience) {
      await new Promise((resolve) => setTimeout(resolve, 10))
      run = await runs.get(id)
      if (run.status === 'paused') {
        befell.push(`paused: ${run.status_reason}`)
        run = await runs.resume(id, {})
      }
      if (!isDisturbed) await engine.sweep({ lostAfter: 0 })
    }
    if (run.ended_at === null) {
      const isZombie = !isOver && random() < 0.5
      befell.push(isOver ? 'killed at a write' : isZombie ? 'taken for dead' : 'killed')
      if (!isZombie) die()
      await new Promise((resolve) => setTimeout(resolve, 12))
      await expire(worker)
      await first.sweep({ lostAfter: 0 })
    }
    run = await runs.get(id)
  }
  // Those that were taken for dead may still be about to write something.
  await new Promise((resolve) => setTimeout(resolve, 40))
  isFinished = true
  for (const { die } of engines) die()
  return { run, befell, left: await readLeft(world, id) }
}

async function readLeft(world: World, run: string): Promise<Record<string, string>> {
  const { objects } = world
  const left: Record<string, string> = {}
  const prefix = objectKeys.tree(run, '').replace(/\/tree\.json$/, '')
  const { objects: found } = await objects.list(prefix, { limit: 100_000 })
  for (const { key } of found) {
    if (!key.endsWith('/tree.json')) continue
    const stored = await objects.get(key)
    left[key.slice(`runs/${run}/`.length)] = Buffer.from(stored?.body ?? []).toString('utf8')
  }
  const reader = openMemoryReader(world)
  left.notes = JSON.stringify(await reader.notesOf(run, { before: null }))
  left.actions = JSON.stringify(await reader.actionsOf(run))
  return left
}

/** The models as a process asks them: a dead one gets no answer. */
function mortal(
  { chat, embedding, scorer }: EndpointModels,
  random: Random,
  { isDisturbed, isDead }: { isDisturbed: boolean; isDead: () => boolean },
) {
  const asked = async <Answer>(answer: () => Promise<Answer>): Promise<Answer> => {
    const delay = random() * 4 - 2
    if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay))
    if (isDisturbed && random() < 0.02) {
      throw new ModelError('The endpoint was overloaded.', {
        transient: true,
        endpointStatus: 503,
        failure: 'other',
      })
    }
    const given = await answer()
    return isDead() ? new Promise<never>(() => undefined) : given
  }
  return {
    model: () => ({
      complete: (...given: Parameters<typeof chat.complete>) => asked(() => chat.complete(...given)),
    }),
    embedding: () => ({
      embed: (...given: Parameters<typeof embedding.embed>) => asked(() => embedding.embed(...given)),
    }),
    scorer: () => ({
      score: (...given: Parameters<typeof scorer.score>) => asked(() => scorer.score(...given)),
    }),
  }
}
