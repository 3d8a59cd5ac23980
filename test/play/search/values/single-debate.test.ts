import { expect, test } from 'vitest'
import { ended, valueOnce } from './value-once.ts'

const verdict = (grade: string) => `Done: d\nFor: f\nAgainst: a\nThoughts: t\nStatus code: ${grade}`

test('a debate of one is one question, whose verdicts are worth what they are in OSWorld', async () => {
  const { calls, lines, outcome } = await valueOnce({ value: 'single-debate' }, () =>
    ['A', 'B', 'C', 'D', 'E'].map(verdict),
  )
  expect(outcome).toEqual(ended)
  // A 1, B 0.5, C 0.2, D −0.2, E −1, four times each: (1 + 0.5 + 0.2 − 0.2 − 1) / 5 = 0.1 (ExACT, its code for OSWorld).
  expect(lines[1]).toMatch(/^a is worth 0\.1(0{8,}\d*)?$/)
  expect(calls.map(({ role, way, request: { n } }) => `${role} ${way} ${n}`)).toEqual([
    'value a 20',
    'value a/b 20',
  ])
  expect(calls[0]?.question).toMatch(/saw a\n\nFirst look at both sides/)
})

test('verdicts that cannot be read are asked for again', async () => {
  const { lines } = await valueOnce(
    { value: 'single-debate', verdicts: 2, scale: 'rubric' },
    ({ request: { n } }) => (n === 2 ? [verdict('C'), 'Done: d'] : verdict('B')),
  )
  expect(lines.slice(0, 3)).toEqual(['took a', '1 unread', 'a is worth 0.7'])
})
