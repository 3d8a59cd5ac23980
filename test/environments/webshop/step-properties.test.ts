import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonObject } from '../../../shared/core/contracts/json.ts'
import { webshopDefinition } from '../../../shared/environments/webshop/definition.ts'
import { openFolder, smallFolder } from './public-files.ts'

async function openGenerated() {
  const environment = await webshopDefinition.open(null)
  if (!('open' in environment)) throw new Error('webshop is played in process.')
  const tasks = environment.tasks()
  return { tasks, core: await environment.open(tasks[0]?.id ?? '') }
}

const shops = [
  await openGenerated(),
  await openFolder(smallFolder),
  await openFolder({ ...smallFolder, 'webshop.json': { compatibility: 'original', goals: 'human' } }),
]
const again = await openGenerated()

/** A move: a click of the page by its place, a search, or noise. */
const move = fc.oneof(
  { weight: 6, arbitrary: fc.nat(1000) },
  {
    weight: 2,
    arbitrary: fc.constantFrom('search[mug]', 'search[red lamp or desk]', 'search[the]', 'click[Buy Now]'),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary' }).map((noise) => `search[${noise}]`) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary' }).map((noise) => `click[${noise}`) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
)
const episode = fc.array(move, { minLength: 1, maxLength: 15 })

function freezeDeep<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) freezeDeep(part)
  return Object.freeze(value)
}

test.each(shops.map((shop, index) => [index, shop] as const))(
  'shop %i: no action throws or changes its state, every click offered is accepted, and rewards stay within bounds',
  (_index, { core, tasks }) => {
    fc.assert(
      fc.property(fc.nat(tasks.length - 1), episode, (position, moves) => {
        let { state } = core.reset(tasks[position]?.id ?? '', 0)
        let best = 0
        for (const next of moves) {
          const clicks = core.validActions?.(state) ?? []
          const action = typeof next === 'number' ? (clicks[next % clicks.length] ?? 'search[mug]') : next
          const before = JSON.stringify(state)
          const result = core.step(freezeDeep(state), action)
          expect(JSON.stringify(state)).toBe(before)
          expect(JSON.parse(JSON.stringify(result.state))).toEqual(result.state)
          expect(JSON.stringify(result.state).length).toBeLessThan(3000)
          if (clicks.includes(action)) expect(result.valid).toBe(true)
          if (!result.valid) expect(result.state).toBe(state)
          expect(result.reward).toBeGreaterThanOrEqual(0)
          expect(result.reward).toBeLessThanOrEqual(1)
          expect(result.progress).toBeGreaterThanOrEqual(Math.max(best, result.reward))
          if (result.done) return
          expect(result.reward).toBe(0)
          best = result.progress
          state = result.state
        }
      }),
    )
  },
)

test('a stored state goes on in the same way in another process', () => {
  const [{ core, tasks }] = shops as [(typeof shops)[0]]
  fc.assert(
    fc.property(fc.nat(tasks.length - 1), episode, (position, moves) => {
      const task = tasks[position]?.id ?? ''
      expect(again.core.reset(task, 0)).toEqual(core.reset(task, 0))
      let state: JsonObject = core.reset(task, 0).state
      for (const next of moves) {
        const clicks = core.validActions?.(state) ?? []
        const action = typeof next === 'number' ? (clicks[next % clicks.length] ?? 'search[soft]') : next
        const result = core.step(state, action)
        expect(again.core.step(JSON.parse(JSON.stringify(state)), action)).toEqual(result)
        state = result.state
      }
    }),
    { numRuns: 50 },
  )
})

test("with the original's reading, an action is what Python's pattern finds at its start", () => {
  const { core, tasks } = shops[2] as (typeof shops)[0]
  const { state } = core.reset(tasks[0]?.id ?? '', 0)
  const part = fc.constantFrom('search', 'click', '[', ']', ' lamp', '\n')
  fc.assert(
    fc.property(fc.array(part, { maxLength: 9 }), (parts) => {
      const action = parts.join('')
      const [, kind] = /^([^\n]+)\[([^\n]+)\]/.exec(action) ?? []
      expect(core.step(state, action).valid).toBe(kind === 'search')
    }),
    { numRuns: 2000 },
  )
})

test.each([
  ['1 MB of brackets', '['.repeat(1_000_000)],
  ['a search for 1 MB', `search[${'lamp '.repeat(200_000)}]`],
  ['a click on 1 MB', `click[${']['.repeat(500_000)}]`],
  ['a search of many words', `search[${'a1 b2 '.repeat(160)}]`],
  ['the language of the search engine', 'search["lamp" NEAR( AND * - ^ { : } NOT]'],
  ['control characters', 'search[\u0000\u0007\ud800]'],
])('%s gets an answer', (_name, action) => {
  const [{ core, tasks }] = shops as [(typeof shops)[0]]
  const result = core.step(core.reset(tasks[0]?.id ?? '', 0).state, action)
  expect(result.observation).toBeTypeOf('string')
  expect(result.done).toBe(false)
})
