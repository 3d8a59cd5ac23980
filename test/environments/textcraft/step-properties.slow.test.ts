import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createPlanner } from '../../../shared/environments/textcraft/plan-goal.ts'
import { createTextcraftStep, type TextcraftState } from '../../../shared/environments/textcraft/step.ts'
import { smallBook, step } from './small-game.ts'

const validActions = smallBook.craftable.flatMap((goal) => [...(createPlanner(smallBook)(goal) ?? [])])

const mutated = fc
  .tuple(
    fc.constantFrom(...validActions, 'inventory', 'craft crate using 1 oak planks, 1 oak planks'),
    fc.nat(60),
    fc.nat(3),
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 4 }),
      fc.constantFrom(' using ', ', ', '\n', '99999999999999999999', "'", '\ud800', '__proto__', '0'),
    ),
  )
  .map(([action, at, removed, inserted]) => action.slice(0, at) + inserted + action.slice(at + removed))

const anyAction = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...validActions, 'inventory') },
  { weight: 3, arbitrary: mutated },
  { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
)

const episode = fc.array(anyAction, { minLength: 1, maxLength: 30 })

const freshState = (): TextcraftState => ({ goal: 'minecraft:torch', inventory: {} })

function freezeDeep(state: TextcraftState): TextcraftState {
  Object.freeze(state.inventory)
  return Object.freeze(state)
}

describe('any sequence of actions', () => {
  test('never throws, never changes the state it is given, and answers with text', () => {
    fc.assert(
      fc.property(episode, (actions) => {
        let state = freshState()
        for (const action of actions) {
          const before = JSON.stringify(state)
          const result = step(freezeDeep(state), action)
          expect(JSON.stringify(state)).toBe(before)
          expect(result.observation).toBeTypeOf('string')
          expect(result.done).toBe(result.reward === 1)
          state = result.state
        }
      }),
    )
  })

  test('gives the same results from a state that was stored as JSON, in another process with nothing remembered', () => {
    fc.assert(
      fc.property(episode, (actions) => {
        const other = createTextcraftStep(smallBook)
        let state = freshState()
        for (const action of actions) {
          const result = step(state, action)
          expect(other(JSON.parse(JSON.stringify(state)), action)).toEqual(result)
          state = result.state
        }
      }),
      { numRuns: 50 },
    )
  })

  test('a refused action gives back the very state, so that nodes share it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (noise) => {
        const state = freshState()
        expect(step(state, `x${noise}`).state).toBe(state)
      }),
    )
  })
})

test('stays right when more actions were seen than are remembered', () => {
  const fresh = createTextcraftStep(smallBook)
  let state = freshState()
  for (let count = 0; count < 10_000; count++) state = fresh(state, `get ${count} coal`).state
  expect(state.inventory).toEqual({ 'minecraft:coal': 49_995_000 })
  expect(fresh(state, 'get 0 coal').observation).toBe('Got 0 coal')
})
