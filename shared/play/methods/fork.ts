import type { PrimitiveStep } from '../../core/contracts/tree.ts'
import type { EffectScope } from '../../core/engine/effect-scope.ts'
import type { NodeStates, StateResult } from './node-states.ts'

/** Steps away from a state. Their result becomes a node only when it lands in the tree. */
export class Fork {
  readonly steps: PrimitiveStep[] = []
  readonly #states: NodeStates
  readonly #effects: Pick<EffectScope, 'beforeStep'>
  readonly #key: string
  #at: string
  #stateResult: StateResult

  constructor(
    { states, effects }: { states: NodeStates; effects: Pick<EffectScope, 'beforeStep'> },
    from: { key: string; stateResult: StateResult },
    key: string,
  ) {
    this.#states = states
    this.#effects = effects
    this.#at = from.key
    this.#stateResult = from.stateResult
    this.#key = key
  }

  get at(): string {
    return this.#at
  }

  get stateResult(): StateResult {
    return this.#stateResult
  }

  async act(action: string): Promise<StateResult> {
    await this.#effects.beforeStep()
    const key = `${this.#key}/act/${this.steps.length}`
    const stateResult = await this.#states.step(this.#at, action, key)
    const { observation, reward, valid } = stateResult
    this.steps.push({ action, observation, reward, valid })
    this.#at = key
    this.#stateResult = stateResult
    return stateResult
  }
}
