import { expect, test } from 'vitest'
import { pageText, tableCells } from './documents.ts'

const rows = pageText('papers')
  .split('\n')
  .map(tableCells)
  .filter(([number = '']) => /^\d+$/.test(number))
  .map(([number, promise = '', command = '', state = '', remark = '']) => ({
    number: Number(number),
    promise,
    command,
    state,
    remark,
  }))

test('the 63 promises are numbered, each once, with a state', () => {
  expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 63 }, (_none, at) => at + 1))
  expect(new Set(rows.map(({ promise }) => promise)).size).toBe(63)
  expect(rows.filter(({ state }) => !['works', 'partly', 'missing'].includes(state))).toEqual([])
})

test('what works or works partly has a command, and all else its reason', () => {
  expect(rows.filter(({ state, command }) => (command === '') !== (state === 'missing'))).toEqual([])
  expect(rows.filter(({ state, remark }) => state !== 'works' && remark === '')).toEqual([])
})
