import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { followRun } from '../../cli/follow-run.ts'
import { type DemoService, startDemoService } from '../../scripts/demo-loop/demo-parts.ts'
import { type DemoWorld, demoWorlds, gripperTasks } from '../../scripts/demo-loop/demo-worlds.ts'
import { makeBase } from '../../scripts/demo-loop/make-base.ts'
import { expertRequest, noviceRequest, rejectionRequest } from '../../scripts/demo-loop/requests.ts'
import type { DemoSizes } from '../../scripts/demo-loop/sizes.ts'
import type { ApiClient } from '../../shared/core/client/api-client.ts'
import type { Loop, LoopRequestInput } from '../../shared/core/contracts/loop.ts'
import type { LoopSettings } from '../../shared/core/contracts/loop-settings.ts'
import type { RunRequestInput } from '../../shared/core/contracts/run.ts'
import { installPythonEnvironment } from '../../shared/core/programs/python-environment.ts'
import { trainerPackages } from '../../shared/learn/trainings/local/local-trainer.ts'
import { listCheckpoints, placesOfTraining } from '../../shared/learn/trainings/program/program-files.ts'

/** One ball to carry between three rooms. */
export const smallWorld: DemoWorld = {
  ...(demoWorlds[0] as DemoWorld),
  tasks: gripperTasks({ max_balls: 1, max_rooms: 3 }),
}

/** Trainings of some steps: every stage is real, and nothing is learned well. */
export const smallSizes: DemoSizes = {
  expertTasks: 8,
  noviceTasks: 8,
  trainTasks: 8,
  pairTasks: 0,
  testTasks: 2,
  samples: 1,
  cloneSteps: 100,
  roundSteps: 20,
  pairSteps: 2,
}

export const smallTasks = {
  train: smallWorld.tasks('train', smallSizes.trainTasks),
  test: smallWorld.tasks('test', smallSizes.testTasks),
}

const learning_rate = 4e-3

/** Clones in few steps: large batches, and a high rate. */
export const quickCloning = { batch_size: 16, micro_batch_size: 16, learning_rate }

/** The demonstration's loop in small. What a model of some steps plays solves nothing, so that it learns from all of it. */
export function smallLoop(given: { expert: string; base: string }): LoopRequestInput {
  const request = rejectionRequest(smallWorld, smallSizes, { seed: 1, ...given })
  const { hyperparameters, warm_start_hyperparameters, ...settings } = request.settings as LoopSettings
  return {
    ...request,
    settings: {
      ...settings,
      min_reward: 0,
      learning_rate,
      hyperparameters: { ...hyperparameters, batch_size: 16, micro_batch_size: 16, warmup: 5 },
      warm_start_hyperparameters: { ...warm_start_hyperparameters, ...quickCloning, warmup: 5 },
    },
    checkpoint_steps: 5,
    episode_limits: { steps: 4 },
    // One call at a time, so that llama.cpp computes each answer alone.
    max_parallel: 1,
  }
}

/** A service over a data folder which may be killed: each time it is started again over the same folder. */
export class MortalService {
  #service: DemoService | null = null
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  async client(): Promise<ApiClient> {
    this.#service ??= await startDemoService(this.#folder)
    return this.#service.client
  }

  /** As the machine's power failing: the service and its workers are gone at once. */
  async kill(): Promise<void> {
    const service = this.#service
    if (service === null) return
    this.#service = null
    const gone = service.end('SIGKILL')
    killGroup(service.process)
    await gone
  }

  /** Whether a trainer has written a checkpoint. The service knows it up to a second later, when a short training may be over. */
  async hasCheckpoint(training: string): Promise<boolean> {
    const { output } = placesOfTraining(join(this.#folder, 'trainings', training))
    return (await listCheckpoints(output)).length > 0
  }

  async end(): Promise<void> {
    await this.#service?.end('SIGTERM')
    this.#service = null
  }
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** An expert's run, a bad player's, and a model that knows their words. */
export async function prepareSmallLoop(client: ApiClient, folder: string) {
  const expert = await play(client, expertRequest(smallWorld, smallSizes))
  const novice = await play(client, noviceRequest(smallWorld, smallSizes))
  const { python } = await installPythonEnvironment(trainerPackages(process.env), () => {})
  return { expert, base: await makeBase(client, { python, folder, runs: [expert, novice], seed: 1 }) }
}

export async function play(client: ApiClient, request: RunRequestInput): Promise<string> {
  const { id } = await client.createRun(request, JSON.stringify(request).slice(0, 200))
  const { signal } = new AbortController()
  const run = await followRun(client, id, { signal, onProgress: () => {} })
  if (run.status !== 'succeeded') throw new Error(`${id} is ${run.status}: ${run.status_reason}`)
  return id
}

/**
 * Follows a loop until it has ended or is paused. With `kills` the service is killed once in each stage: a training once it
 * has a checkpoint, everything else as soon as it is seen.
 *
 * @returns the loop, and the stages in which the service was killed
 */
export async function followLoop(
  service: MortalService,
  id: string,
  { kills }: { kills: boolean },
): Promise<{ loop: Loop; killed: string[] }> {
  const killed: string[] = []
  for (;;) {
    const client = await service.client()
    const loop = await client.loop(id)
    if (loop.status !== 'queued' && loop.status !== 'running') return { loop, killed }
    const stage = kills ? nextVictim(loop, killed) : undefined
    if (stage !== undefined && (stage.object !== 'training' || (await service.hasCheckpoint(stage.ref)))) {
      killed.push(stage.key)
      await service.kill()
      continue
    }
    await sleep(20)
  }
}

/** The stage under way that was not killed yet. A model is served at once, so that stage is taken when it has just ended. */
function nextVictim({ rounds }: Loop, killed: readonly string[]) {
  return rounds
    .flatMap(({ round, stages }) => stages.map((stage) => ({ ...stage, key: `${round} ${stage.id}` })))
    .find(({ key, kind, status }) => !killed.includes(key) && (status === 'running' || kind === 'serve'))
}
