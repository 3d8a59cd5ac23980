import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createCore, type PddlState } from '../../../shared/environments/pddl/core.ts'
import { languageOf } from '../../../shared/environments/pddl/language.ts'
import { pddl } from '../../../shared/environments/pddl/pddl.ts'
import { createRobotProblems } from '../../../shared/environments/pddl/robot-problems.ts'
import { createPlanningTask } from '../../../shared/environments/planning/planning-task.ts'

const tasks = pddl.tasks().filter((_task, index) => index % 11 === 0)
const problems = createRobotProblems(30)

/** A task opened apart, with nothing remembered. */
async function openFresh(id: string) {
  const { domain, problem } = await problems.load(id)
  return createCore(id, createPlanningTask(domain, problem, { distinctArguments: true }), languageOf(domain))
}

function freeze(state: PddlState): PddlState {
  Object.freeze(state.facts)
  return Object.freeze(state)
}

const noise = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '',
    '()',
    '((((',
    '\u0000\u001b[2J',
    'İ pick',
    'pick\nup',
    '{0}',
    '__proto__',
    'constructor b1',
    'stack on',
  ),
)

describe('any sequence of actions', () => {
  test('has the same answers from stored states, changes no argument, and only ever gains progress', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...tasks),
        fc.array(fc.oneof({ weight: 4, arbitrary: fc.nat(1000) }, noise), { maxLength: 25 }),
        async ({ id }, choices) => {
          const [core, other] = [await pddl.open(id), await openFresh(id)]
          let { state } = core.reset(id, 0)
          let progress = 0
          for (const choice of choices) {
            const possible = core.validActions?.(state) ?? []
            const action =
              typeof choice === 'number' ? (possible[choice % possible.length] as string) : choice
            const before = JSON.stringify(state)
            const result = core.step(freeze(state), action)
            expect(JSON.stringify(state)).toBe(before)
            expect(other.step(JSON.parse(before), action)).toEqual(result)
            expect(result.progress).toBeGreaterThanOrEqual(progress)
            expect(result.reward).toBe(result.progress)
            if (result.done) expect(result.reward).toBe(1)
            if (typeof choice === 'number') expect(result.valid).toBe(true)
            progress = result.progress
            state = result.state
          }
        },
      ),
      { numRuns: 60 },
    )
  })

  test('an action that is not understood gives back the very state', async () => {
    const core = await pddl.open('blockworld-000')
    const { state } = core.reset('blockworld-000', 0)
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(core.step(state, `x${text}`).state).toBe(state)
      }),
    )
    expect(core.step(state, 'a'.repeat(1_000_000))).toMatchObject({ valid: false, state })
    expect(core.step(state, `pick up b1${' '.repeat(1_000_000)}`)).toMatchObject({ valid: false, state })
  })
})

test('valid actions are sorted, each once, and no other action of the same words is valid', async () => {
  for (const { id } of tasks) {
    const core = await pddl.open(id)
    const { state } = core.reset(id, 0)
    const possible = core.validActions?.(state) ?? []
    expect(possible).toEqual([...new Set(possible)].sort())
    const words = [...new Set(possible.flatMap((action) => action.split(' ')))]
    for (const action of possible) {
      const parts = action.split(' ')
      const variants = parts.flatMap((_part, at) => words.map((word) => parts.with(at, word).join(' ')))
      const valid = [...new Set(variants)].filter((variant) => core.step(state, variant).valid)
      expect(valid.filter((variant) => !possible.includes(variant))).toEqual([])
    }
  }
})
