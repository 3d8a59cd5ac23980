import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { seededRandom } from '../../../shared/core/random/seeded-random.ts'
import { bestOfN } from '../../../shared/play/methods/best-of-n/best-of-n.ts'
import { codeAsPolicy } from '../../../shared/play/methods/code-as-policy/code-as-policy.ts'
import { countCalls, type Effort } from '../../../shared/play/methods/effort.ts'
import { learnact } from '../../../shared/play/methods/learnact/learnact.ts'
import type { Method } from '../../../shared/play/methods/method.ts'
import { reflexion } from '../../../shared/play/methods/reflexion/reflexion.ts'
import type { ChatRequest } from '../../../shared/play/models/chat-model.ts'
import { createCorridor } from './corridor.ts'
import { playMethod } from './play-method.ts'

const bounds = { max_steps: 6, steps: 10_000 }

/** By what the newest message asks for: answers of every kind, also some that cannot be read. */
const kinds: readonly [asked: string, answers: readonly string[]][] = [
  ['Status code', ['Status code: A', 'Status code: C', 'Status code: E']],
  ['Checks:', ['Checks: Is it there?']],
  ['Note: <one', ['Note: Go on.', 'Hm.']],
  ['Description: <', ['Description: It goes.', 'Description: It goes.', 'It goes.']],
  ['Show how an agent', ['Action: go(1)\nObservation: At 1.', 'No.']],
  [
    'Why did it fail',
    [
      'Decision: note go\nNote: Mind.',
      'Decision: update go\n```js\nfunction go(n) { act("forward") }\n```',
      'Why?',
    ],
  ],
  [
    '```js',
    [
      '```js\nfunction go(n) { for (let i = 0; i < n; i += 1) act("forward") }\n```',
      '```js\nfunction go(n) { act("fly") }\nfunction stay() {}\n```',
      '```js\nmissing()\n```',
      '```js\nact("forward"\n```',
    ],
  ],
]

const actions = ['Action: forward', 'Action: back', 'Action: look', 'Action: go(2)', 'Action: stay()', '']

function answering(chance: number) {
  return ({ messages, seed }: ChatRequest): string => {
    const [system, last] = [messages[0]?.content ?? '', messages.at(-1)?.content ?? '']
    const random = seededRandom('answer', chance, seed)
    const asked = system.includes('write one program') ? `${last}\n\`\`\`js` : last
    const pool = kinds.find(([words]) => asked.includes(words))?.[1] ?? actions
    return pool[Math.floor(random() * pool.length)] as string
  }
}

async function countMade<Parameters extends object>(
  method: Method<Parameters>,
  parameters: object,
  chance: number,
  training: readonly string[],
): Promise<{ calls: number; effort: Effort }> {
  const given = method.parameters.parse(parameters)
  const { effects, outcome } = await playMethod({
    method,
    parameters,
    environment: createCorridor(),
    answer: answering(chance),
    training,
  })
  if (outcome.type === 'failed') {
    expect(['UnreadableAnswers', 'NothingLearned']).toContain((outcome.error as Error).name)
  }
  const learning = method.learningEffort?.(given)
  return {
    calls: effects.length,
    effort: training.length > 0 && learning ? learning : method.effort(given, bounds),
  }
}

function most({ at_most, others = [] }: Effort): number {
  return others.reduce((sum, role) => sum + countCalls(role.at_most), countCalls(at_most))
}

function expected({ expected, others = [] }: Effort): number {
  return others.reduce((sum, role) => sum + countCalls(role.expected), countCalls(expected))
}

const small = (most: number) => fc.integer({ min: 1, max: most })
const training = ['goal-2', 'goal-5']

describe('no episode makes more calls than was said before', () => {
  const cases = [
    ['reflexion', reflexion, fc.record({ retry: fc.nat(3), max_steps: small(6) }), []],
    ['reflexion when it learns', reflexion, fc.record({ notes: small(3), train_steps: small(4) }), training],
    ['code-as-policy', codeAsPolicy, fc.record({ tries: small(4) }), []],
    ['best-of-n', bestOfN, fc.record({ attempts: small(4), parallel: small(4), max_steps: small(4) }), []],
    ['learnact', learnact, fc.record({ max_steps: small(6) }), []],
    [
      'learnact when it learns',
      learnact,
      fc.record({ candidates: small(3), rounds: fc.nat(2), tries: small(3), train_steps: small(3) }),
      training,
    ],
  ] as const satisfies readonly (readonly [string, unknown, fc.Arbitrary<object>, readonly string[]])[]

  test.each(cases)('%s', async (_, method, parameters, tasks) => {
    const given = tasks.length > 0 ? { train_tasks: tasks.length } : {}
    await fc.assert(
      fc.asyncProperty(parameters as fc.Arbitrary<object>, fc.nat(), async (drawn, chance) => {
        const played = { ...given, ...drawn }
        const { calls, effort } = await countMade(method as Method<object>, played, chance, tasks)
        expect(calls).toBeLessThanOrEqual(most(effort))
        expect(expected(effort)).toBeLessThanOrEqual(most(effort))
        expect(effort.side_by_side).toBeGreaterThan(0)
      }),
      { numRuns: 15 },
    )
  })
})
