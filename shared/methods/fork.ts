import type { PrimitiveStep } from '../contracts/tree.ts'
import type { EffectScope } from '../engine/effect-scope.ts'
import type { NodeStates, Standing } from './node-states.ts'

/** Steps away from a state: what they led to counts only when it is landed in the tree. */
export class Fork {
  readonly steps: PrimitiveStep[] = []
  readonly #states: NodeStates
  readonly #effects: Pick<EffectScope, 'beforeStep'>
  readonly #key: string
  #at: string
  #standing: Standing

  /**
   * @param from the key of the state that it begins with
   * @param key names its steps among the episode's effects
   */
  constructor(
    { states, effects }: { states: NodeStates; effects: Pick<EffectScope, 'beforeStep'> },
    from: { key: string; standing: Standing },
    key: string,
  ) {
    this.#states = states
    this.#effects = effects
    this.#at = from.key
    this.#standing = from.standing
    this.#key = key
  }

  /** The key of the state it stands in. */
  get at(): string {
    return this.#at
  }

  get standing(): Standing {
    return this.#standing
  }

  async act(action: string): Promise<Standing> {
    await this.#effects.beforeStep()
    const key = `${this.#key}/act/${this.steps.length}`
    const standing = await this.#states.step(this.#at, action, key)
    const { observation, reward, valid } = standing
    this.steps.push({ action, observation, reward, valid })
    this.#at = key
    this.#standing = standing
    return standing
  }
}
