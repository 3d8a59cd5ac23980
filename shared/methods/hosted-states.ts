import type { EffectScope } from '../engine/effect-scope.ts'
import { type PathStep, SessionPool } from '../environments/session-pool.ts'
import type { SessionSource } from '../environments/session-source.ts'
import type { NodeStates, Standing } from './node-states.ts'

export interface HostedTask {
  id: string
  seed: number
  /** Names the episode among all that ask for sessions. */
  holder: string
}

/**
 * The states of an environment that runs elsewhere: sessions that are brought to a node's state when a step is taken there.
 * Every step is an effect, so the journal holds its answer, and no replay takes it twice.
 */
export class HostedStates implements NodeStates {
  readonly #effects: EffectScope
  readonly #task: HostedTask
  readonly #pool: SessionPool
  /** By node: the step that led there. */
  readonly #steps: { parent: number | null; step: PathStep }[] = []
  readonly #answers = new Map<string, PathStep>()

  constructor(effects: EffectScope, source: SessionSource, task: HostedTask) {
    this.#effects = effects
    this.#task = task
    this.#pool = new SessionPool(source, task)
  }

  async open(): Promise<Standing> {
    const { id, seed } = this.#task
    const request = { settings: { task: id, seed } }
    const standing = await this.#effects.effect<Standing>('session/open', request, async (...signals) => ({
      result: await this.#pool.open(...signals),
      waited: this.#pool.takeWaited(),
    }))
    this.#steps[0] = { parent: null, step: { action: null, answer: standing } }
    return standing
  }

  async step(node: number, action: string, effect: string): Promise<Standing> {
    const request = { settings: { node, action } }
    const standing = await this.#effects.effect<Standing>(`${effect}/step`, request, async (...signals) => ({
      result: await this.#pool.step(this.#path(node), action, ...signals),
      waited: this.#pool.takeWaited(),
    }))
    this.#answers.set(effect, { action, answer: standing })
    return standing
  }

  settle(node: number, parent: number, effect: string): void {
    this.#steps[node] = { parent, step: this.#answers.get(effect) as PathStep }
    this.#answers.delete(effect)
  }

  close(): Promise<void> {
    return this.#pool.close()
  }

  #path(node: number): PathStep[] {
    const path: PathStep[] = []
    for (let at: number | null = node; at !== null; ) {
      const { parent, step } = this.#steps[at] as { parent: number | null; step: PathStep }
      path.push(step)
      at = parent
    }
    return path.reverse()
  }
}
