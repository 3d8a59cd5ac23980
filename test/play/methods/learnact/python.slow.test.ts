import { expect, test } from 'vitest'
import { codeAsPolicy } from '../../../../shared/play/methods/code-as-policy/code-as-policy.ts'
import { createCorridor } from '../corridor.ts'
import { walk } from '../make-action.ts'
import { type Played, playKilled, playMethod } from '../play-method.ts'
import { learned, learning, walk as walkCode } from './learning.ts'
import { block } from './scripted-learner.ts'

const fenced = (code: string) => `Here.\n\`\`\`python\n${code}\n\`\`\``
const python = { language: 'python' as const }
const walkInPython = `def walk(count):
    """Goes forward."""
    for step in range(count):
        act("forward")`

const environmentEntries = ({ entries }: Played) =>
  entries.flatMap((entry) => ('node' in entry ? [{ ...entry.node, message: '', action: '' }] : []))

test('functions in Python are learned, marked with their language, and take the steps that those in JavaScript take', async () => {
  const act = ({ goal }: { goal: number }) => `walk(${goal})`
  const theirs = await playMethod(learning({ create: [block(`${walkCode}\n\nwalk(1)`)], act }))
  const came = await playMethod(learning({ create: [fenced(`${walkInPython}\n\nwalk(1)`)], act }, python))
  expect(came.outcome).toEqual({ type: 'ended', limit: null })
  expect(learned(came)).toMatchObject([
    { name: 'walk', parameters: ['count'], code: walkInPython, language: 'python', scores: { score: 3 } },
  ])
  expect(learned(theirs)[0]).not.toHaveProperty('language')
  expect(environmentEntries(came)).toEqual(environmentEntries(theirs))
})

test.each([
  ['a block in another language', block('act("forward")'), 'There is no ```python block in the answer.'],
  ['a syntax error', fenced('def walk(:'), /^invalid syntax \(line 1\)$/],
  ['a call that raises', fenced(`${walkInPython}\nwalk("far")`), /TypeError/],
  ['a function that needs more than functions', fenced('def walk(n): return far\nfar = 2\nwalk(1)'), /'far'/],
])('functions with %s are written again, with the error shown', async (_name, first, error) => {
  const errors: string[] = []
  const came = await playMethod(
    learning(
      {
        create: [first],
        again: (said) => {
          errors.push(said)
          return fenced(walkInPython)
        },
        act: () => 'walk(1)',
      },
      python,
    ),
  )
  expect(errors).toEqual([expect.stringMatching(error)])
  expect(learned(came)).toHaveLength(1)
})

test('a killed episode with a program in Python comes to the same bytes', async () => {
  const code = 'import random\nwhile True:\n    act("forward" if random.random() < 0.5 else "look")'
  const { whole, resumed } = await playKilled({
    method: codeAsPolicy,
    environment: createCorridor(),
    answer: () => fenced(code),
    parameters: python,
  })
  expect(whole.tree.isSolved).toBe(true)
  expect(resumed.map(({ bytes }) => bytes)).toEqual(resumed.map(() => whole.bytes))
})

test('a library in another language is refused, with the language to set', async () => {
  const played = {
    method: codeAsPolicy,
    environment: createCorridor(),
    answer: () => fenced('act("forward")'),
    parameters: { library: 'lib-x', ...python },
    actions: [walk],
  }
  const { outcome } = await playMethod({ ...played, answer: () => fenced('walk(3, "forward")') })
  expect(outcome).toMatchObject({
    type: 'failed',
    error: { param: 'method.language', message: expect.stringContaining('language to "javascript"') },
  })
  const own = { ...walk, language: 'python' as const, code: walkInPython, parameters: ['count'] }
  const { tree } = await playMethod({ ...played, answer: () => fenced('walk(3)'), actions: [own] })
  expect(tree.isSolved).toBe(true)
})
