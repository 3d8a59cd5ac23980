import { expect, test } from 'vitest'
import { scriptedRoles } from '../../../support/scripted-episode.ts'
import { ended, valueOnce } from './value-once.ts'

const status = (grade: string) => `Thoughts: t\nStatus code: ${grade}`
const supportFirst = 'The first says: For it.\nThe second says: Against it.'
const opposeFirst = 'The first says: Against it.\nThe second says: For it.'

test('a debate is two opinions, then verdicts that hear them in either order, and their mean', async () => {
  const { calls, lines, outcome } = await valueOnce({ value: 'debate' }, ({ role, question }) => {
    if (role === 'debate') {
      return question.includes('was the right one') ? 'Opinion: For it.' : 'Opinion: Against it.'
    }
    return (question.includes(supportFirst) ? ['A', 'B', 'C'] : ['D', 'E', 'C']).map(status)
  })
  expect(outcome).toEqual(ended)
  // A 1, B 0.7, C 0.5, D −0.2, E −1: (1 + 0.7 + 0.5 − 0.2 − 1 + 0.5) / 6 = 0.25 (ExACT).
  expect(lines.slice(0, 3)).toEqual(['took a', 'a is worth 0.25', 'goes a'])
  expect(calls.slice(0, 4).map(({ role, way, request: { n } }) => `${role} ${way} ${n}`)).toEqual([
    'debate a 1',
    'debate a 1',
    'value a 3',
    'value a 3',
  ])
  const [support, oppose, ...verdicts] = calls
  expect(support?.question).toContain('saw a\n\nArgue that the last action was the right one')
  expect(oppose?.question).toContain('saw a\n\nArgue that the last action was a mistake')
  expect(verdicts[0]?.question).toContain(supportFirst)
  expect(verdicts[1]?.question).toContain(opposeFirst)
  // Those who debate do not hear each other, and the judge hears the same but for the order.
  expect(oppose?.question).not.toContain('For it.')
  expect(verdicts[1]?.question).toBe(verdicts[0]?.question.replace(supportFirst, opposeFirst))
  for (const { request } of calls) expect(request.messages[0]?.content).toContain('Do as you are told.')
})

test('only six times A ends the search', async () => {
  const { lines } = await valueOnce({ value: 'debate', max_steps: 4 }, ({ role, way, question }) => {
    if (role === 'debate') return 'Opinion: o'
    return (way === 'a' && question.includes('o\nThe second') ? ['A', 'A', 'B'] : ['A', 'A', 'A']).map(status)
  })
  expect(lines[1]).toBe(`a is worth ${(1 + 1 + 0.7 + 1 + 1 + 0.7) / 6}`)
  expect(lines.slice(-2)).toEqual(['a/b is worth 1', 'goes a/b'])
})

test('those who debate and the judge can be models of their own, with settings of their own', async () => {
  const request = { roles: { ...scriptedRoles, debate: { id: 'debate', temperature: 0.1, max_tokens: 256 } } }
  const { calls } = await valueOnce(
    { value: 'debate', verdicts: 1 },
    ({ role }) => (role === 'debate' ? 'Opinion: o' : status('C')),
    { request },
  )
  const settings = calls.map(({ role, request: { temperature, max_tokens } }) => [
    role,
    temperature,
    max_tokens,
  ])
  expect(settings.slice(0, 4)).toEqual([
    ['debate', 0.1, 256],
    ['debate', 0.1, 256],
    ['value', 1, 512],
    ['value', 1, 512],
  ])
})

test('an opinion that cannot be read is asked for again; without one there is no verdict', async () => {
  const { calls, lines, outcome } = await valueOnce({ value: 'debate' }, ({ question }) =>
    question.includes('was a mistake') ? 'I would rather not.' : 'Opinion: o',
  )
  expect(outcome).toMatchObject({ type: 'failed', error: { name: 'UnreadableAnswers' } })
  expect(calls.map(({ role }) => role)).toEqual(['debate', 'debate', 'debate', 'debate'])
  expect(lines.some((line) => line.includes('worth'))).toBe(false)
})

test('verdicts in one order that cannot be read do not count with those in the other', async () => {
  let asked = 0
  const { lines } = await valueOnce({ value: 'debate', verdicts: 1 }, ({ role, way, question }) => {
    if (role === 'debate')
      return question.includes('was the right one') ? 'Opinion: For it.' : 'Opinion: Against it.'
    if (way !== 'a' || question.includes(supportFirst)) return status('A')
    asked += 1
    return asked === 1 ? 'No idea.' : status('E')
  })
  // (1 − 1) / 2
  expect(lines.slice(0, 3)).toEqual(['took a', '1 unread', 'a is worth 0'])
})
