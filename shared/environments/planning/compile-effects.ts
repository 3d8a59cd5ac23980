import {
  type Binding,
  compileAtom,
  compileCondition,
  type Slots,
  someBinding,
  withSlots,
} from './compile-condition.ts'
import type { FactSpace } from './fact-space.ts'
import type { Facts } from './facts.ts'
import type { Effect } from './formula.ts'

export interface Change {
  readonly added: number[]
  readonly deleted: number[]
}

export type Gather = (facts: Facts, binding: Binding, change: Change) => void

/**
 * Compiles effects. All their conditions are evaluated in the state before the action.
 * @throws EspalierError `invalid_request` when an effect names an unknown predicate or object
 */
export function compileEffects(space: FactSpace, effects: readonly Effect[], slots: Slots): Gather {
  const gathers = effects.map((effect) => compileEffect(space, effect, slots))
  return (facts, binding, change) => {
    for (const gather of gathers) gather(facts, binding, change)
  }
}

function compileEffect(space: FactSpace, effect: Effect, slots: Slots): Gather {
  switch (effect.kind) {
    case 'add':
    case 'delete': {
      const { fact } = compileAtom(space, effect, slots)
      if (effect.kind === 'add') return (_facts, binding, change) => void change.added.push(fact(binding))
      return (_facts, binding, change) => void change.deleted.push(fact(binding))
    }
    case 'when': {
      const holds = compileCondition(space, effect.condition, slots)
      const gather = compileEffects(space, effect.effects, slots)
      return (facts, binding, change) => {
        if (holds(facts, binding)) gather(facts, binding, change)
      }
    }
    case 'forall': {
      const inner = withSlots(slots, effect.variables)
      const gather = compileEffects(space, effect.effects, inner)
      return (facts, binding, change) => {
        const gatherAll = someBinding(space, effect.variables, inner, (_facts, each) => {
          gather(facts, each, change)
          return false
        })
        gatherAll(facts, binding)
      }
    }
  }
}
