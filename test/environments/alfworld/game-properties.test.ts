import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AlfworldState } from '../../../shared/environments/alfworld/state.ts'
import { hotApple, smallGame } from './small-game.ts'

const games = [smallGame(), smallGame(hotApple, 'put')]
const words =
  'go to open close take from move put in/on examine use clean heat cool slice with look inventory help cabinet countertop fridge microwave sidetable sinkbasin apple mug knife desklamp 1 2'.split(
    ' ',
  )

/** A turn: one of the possible commands by its position, or a text of its own. */
const turn = fc.oneof(
  { weight: 6, arbitrary: fc.nat() },
  {
    weight: 2,
    arbitrary: fc.array(fc.constantFrom(...words), { maxLength: 7 }).map((list) => list.join(' ')),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
)
const episode = fc.tuple(fc.constantFrom(...games), fc.array(turn, { minLength: 1, maxLength: 40 }))

const commandOf = (possible: readonly string[], given: number | string) =>
  typeof given === 'string' ? given : (possible[given % possible.length] ?? '')

function freezeDeep(state: AlfworldState): AlfworldState {
  for (const list of Object.values(state)) Object.freeze(list)
  return Object.freeze(state)
}

describe('any sequence of actions', () => {
  test('changes no state it is given, and goes the same way from a state that was stored as JSON', () => {
    fc.assert(
      fc.property(episode, ([game, turns]) => {
        const other = game === games[0] ? smallGame() : smallGame(hotApple, 'put')
        let { state } = game.reset()
        for (const given of turns) {
          const command = commandOf(game.validActions(state), given)
          const before = JSON.stringify(state)
          const result = game.step(freezeDeep(state), command)
          expect(JSON.stringify(state)).toBe(before)
          expect(other.step(JSON.parse(before), command)).toEqual(result)
          state = result.state
        }
      }),
      { numRuns: 60 },
    )
  })

  test('is understood exactly where the command is one of the possible ones, and is never worth more than the goal', () => {
    fc.assert(
      fc.property(episode, ([game, turns]) => {
        let { state } = game.reset()
        let best = 0
        for (const given of turns) {
          const possible = game.validActions(state)
          const command = commandOf(possible, given)
          const result = game.step(state, command)
          expect(result.valid).toBe(possible.includes(command.trim()))
          expect(result.observation === 'Nothing happens.').toBe(!result.valid)
          expect(result.reward).toBe(result.done ? 1 : 0)
          expect(result.progress).toBeGreaterThanOrEqual(result.done ? 1 : Math.min(best, 2 / 3))
          best = result.progress
          state = result.state
        }
      }),
      { numRuns: 60 },
    )
  })

  test('lists possible commands sorted, each once', () => {
    fc.assert(
      fc.property(episode, ([game, turns]) => {
        let { state } = game.reset()
        for (const given of turns) {
          const possible = game.validActions(state)
          expect(possible).toEqual([...new Set(possible)].sort())
          state = game.step(state, commandOf(possible, given)).state
        }
      }),
      { numRuns: 30 },
    )
  })
})

test.each([
  ['nothing', ''],
  ['a megabyte', 'go to cabinet 1 '.repeat(70_000)],
  ['a megabyte of what stands between names', `take ${' from '.repeat(200_000)}`],
  ['a megabyte of letters', 'a'.repeat(1_000_000)],
  ['control characters', 'go to \u0000cabinet\u0007 1'],
  ['half a character', 'go to \ud800 1'],
  ['lines', 'go to\ncabinet 1'],
  ['names of the language', 'go to __proto__'],
  ['a template', 'go to {r}'],
  ['an object without a place', 'examine agent1'],
])('an action of %s is answered, with nothing happening', (_name, action) => {
  for (const game of games) {
    const { state } = game.reset()
    const result = game.step(state, action)
    expect(result).toEqual({
      state,
      observation: 'Nothing happens.',
      reward: 0,
      done: false,
      valid: false,
      progress: 0,
    })
  }
})
