import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { createRandom } from '../../../shared/core/random/random.ts'
import type { ActAnswer } from '../../../shared/play/sandbox/program.ts'
import { openHere } from './run-here.ts'

let sandbox: Awaited<ReturnType<typeof openHere>>

beforeAll(async () => {
  sandbox = await openHere()
})

const text = fc.string({ unit: 'grapheme', maxLength: 12 }).filter((value) => !value.includes('\0'))

/** Statements whose actions depend on what was seen before, on chance and on failure. */
const statement: fc.Arbitrary<string> = fc.letrec<{ statement: string; leaf: string }>((tie) => ({
  leaf: fc.oneof(
    text.map((value) => `seen = act(${JSON.stringify(value)})`),
    fc.constant('seen = act("again " + seen)'),
    text.map((value) => `print(${JSON.stringify(value)}, seen)`),
    fc.constant('seen += Math.random()'),
    text.map((value) => `throw new Error(${JSON.stringify(value)})`),
  ),
  statement: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    tie('leaf'),
    fc.tuple(tie('statement'), tie('statement')).map(([one, other]) => `${one}\n${other}`),
    fc
      .tuple(tie('statement'), tie('statement'))
      .map(([one, other]) => `if (seen.length % 2) { ${one} } else { ${other} }`),
    fc
      .tuple(tie('statement'), tie('statement'))
      .map(([one, other]) => `try { ${one} } catch (e) { seen = e.message; ${other} }`),
    fc
      .tuple(fc.nat(4), tie('statement'))
      .map(([count, one]) => `for (let i = 0; i < ${count}; i += 1) { ${one} }`),
  ),
})).statement

const answer: fc.Arbitrary<ActAnswer> = fc.record({ observation: text, valid: fc.boolean() })
const code = statement.map((body) => `let seen = ''\n${body}`)
const answers = fc.array(answer, { maxLength: 12 })

/** Where a program stands when it runs outside the sandbox; what it does after its first unanswered action is left out. */
function standingOf(code: string, seed: number, answers: ActAnswer[]): object {
  const printed: string[] = []
  const asked: string[] = []
  const act = (action: string) => {
    asked.push(action)
    const given = answers[asked.length - 1]
    if (!given?.valid) throw new Error(given?.observation)
    return given.observation
  }
  const print = (...values: string[]) => printed.push(values.join(' '))
  const standing = (end: object) => {
    const action = asked[answers.length]
    return action === undefined ? end : { type: 'acts', action }
  }
  try {
    new Function('act', 'print', 'Math', code)(act, print, { random: createRandom(seed) })
    return standing({ type: 'ended', printed })
  } catch (error) {
    return standing({ type: 'failed', message: (error as Error).message, printed })
  }
}

test('a program stands where it would stand outside, with any answers', () => {
  fc.assert(
    fc.property(code, fc.nat(), answers, (code, seed, answers) => {
      expect(sandbox.run({ code, seed }, answers)).toMatchObject(standingOf(code, seed, answers))
    }),
    { numRuns: 500 },
  )
})

test('the same program with the same answers has the same state, whatever ran between', () => {
  fc.assert(
    fc.property(code, code, fc.nat(), answers, (code, other, seed, answers) => {
      const first = sandbox.run({ code, seed }, answers)
      sandbox.run(
        {
          code: `${other}\nObject.prototype.seen = act = 1; for (;;) [].concat(1)`,
          seed,
          limits: { interrupts: 3 },
        },
        answers,
      )
      expect(sandbox.run({ code, seed }, answers)).toEqual(first)
    }),
    { numRuns: 200 },
  )
})

test('any text at all is a program that ends in a state', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (code) => {
      const limits = { interrupts: 20 }
      const state = sandbox.run({ code, seed: 0, limits }, [])
      expect(['acts', 'ended', 'failed']).toContain(state.type)
      expect(sandbox.run({ code, seed: 0, limits }, [])).toEqual(state)
    }),
    { numRuns: 300 },
  )
})
