import { expect, test } from 'vitest'
import { readChecks, readLabelled, readOpinion } from '../../../shared/play/search/read-answers.ts'

test.each([
  ['Opinion: It helped.', 'It helped.'],
  ['Sure.\n\n**Opinion:** It helped.\nMuch. ', 'It helped.\nMuch.'],
  ['> ## opinion :\n\nIt helped.', 'It helped.'],
  ['Opinion: a\r\n - OPINION: b', 'b'],
  ['Opinion: The opinion: it helped.', 'The opinion: it helped.'],
  ['', null],
  ['It helped.', null],
  ['Opinion:', null],
  ['Opinion: a\nOpinion: **', null],
  ['My opinion: It helped.', null],
])('%j says %j', (answer, opinion) => {
  expect(readOpinion(answer)).toBe(opinion)
})

test('a list after its label is read whole', () => {
  expect(readChecks('Checks:\n1. One.\n2. Two.')).toBe('1. One.\n2. Two.')
})

test.each([
  ['line ends', '\n'.repeat(100_000)],
  ['blanks', ' '.repeat(100_000)],
  ['markdown', '\n*'.repeat(50_000)],
  ['labels', 'Note \n'.repeat(16_000)],
])('a long answer of nothing but %s is read in little time', (_what, answer) => {
  const begun = process.threadCpuUsage()
  expect(readLabelled(answer, 'Note')).toBeNull()
  const { user, system } = process.threadCpuUsage(begun)
  expect((user + system) / 1000).toBeLessThan(500)
})
