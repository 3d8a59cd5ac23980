import { randomUUID } from 'node:crypto'
import { EspalierError } from '../../../shared/core/contracts/errors.ts'
import type { EnvironmentFacts } from '../../../shared/environments/environment.ts'
import type { FacadeResult, FacadeSession, FacadeSessions } from '../facade-sessions.ts'
import type { OpenenvReset, OpenenvResult, OpenenvState } from './openenv-schemas.ts'

export class OpenenvEpisode {
  readonly #environment: string
  readonly #sessions: FacadeSessions
  #session: FacadeSession | null = null
  #played: { episode_id: string; task: string; seed: number; step_count: number } | null = null
  #given = 0

  constructor(environment: string, sessions: FacadeSessions) {
    this.#environment = environment
    this.#sessions = sessions
  }

  /**
   * Starts an episode, in the slot of the one before. The seed is the environment's seed. Without a named task it
   * also selects one: the task at its position among all, in the host's order, modulo their number. Without a seed,
   * that is the first.
   * @throws EspalierError `unknown_task`, `host_full`, `host_draining`
   */
  async reset({ seed, episode_id, task }: OpenenvReset): Promise<OpenenvResult> {
    const played = {
      episode_id: episode_id ?? randomUUID(),
      task: chooseTask(await this.#sessions.describe(this.#environment), task ?? null, seed ?? 0),
      seed: seed ?? 0,
      step_count: 0,
    }
    const result = await this.#start(played.task, played.seed)
    this.#played = played
    this.#given = 0
    return { ...toResult(result), reward: null }
  }

  /**
   * Takes a step. Its reward is the step's share: the sum of all shares is the episode's reward, so the first share
   * includes the reward at the start. Subtracting the sum so far keeps rounding from adding up.
   */
  async step(action: string): Promise<OpenenvResult> {
    if (this.#session === null || this.#played === null) {
      throw new EspalierError('invalid_state', 'There is no episode yet. Reset before the first step.')
    }
    const result = await this.#session.step(action)
    this.#played.step_count += 1
    const reward = result.reward - this.#given
    this.#given += reward
    return { ...toResult(result), reward }
  }

  get total(): number {
    return this.#given
  }

  get state(): OpenenvState {
    const { episode_id = null, step_count = 0, task = null, seed = null } = this.#played ?? {}
    return { episode_id, step_count, environment: this.#environment, task, seed }
  }

  async close(): Promise<void> {
    const session = this.#session
    this.#session = null
    await session?.close()
  }

  async #start(task: string, seed: number): Promise<FacadeResult> {
    if (this.#session !== null) return this.#session.restart(task, seed)
    const { session, result } = await this.#sessions.open({ environment: this.#environment, task, seed })
    this.#session = session
    return result
  }
}

function chooseTask(facts: EnvironmentFacts, named: string | null, seed: number): string {
  const tasks = facts.tasks()
  if (named === null) return tasks[seed % tasks.length]?.id ?? ''
  if (tasks.some(({ id }) => id === named)) return named
  const examples = tasks.slice(0, 3).map(({ id }) => id)
  throw new EspalierError(
    'unknown_task',
    `${facts.id} has no task "${named}". Its tasks are such as ${examples.join(', ')}; GET /environments/${facts.id}/tasks lists them all.`,
    { param: 'task' },
  )
}

function toResult({ observation, valid, progress, reward, done }: FacadeResult): OpenenvResult {
  return { observation: { text: observation, valid, progress }, reward, done }
}
