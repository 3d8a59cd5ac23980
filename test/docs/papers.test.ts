import { expect, test } from 'vitest'
import { buildProgram } from '../../cli/program.ts'
import { recordingTerminal } from '../cli/recording-terminal.ts'
import { documents, pageText, tableCells, tableCommands } from './documents.ts'

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

test('at most three promises do not work, and the guide’s tests run the command of each other one', () => {
  expect(rows.filter(({ state }) => state !== 'works').length).toBeLessThanOrEqual(3)
  const page = documents.find(({ file }) => file === 'docs/papers.md')
  const run = page === undefined ? [] : tableCommands(page).map(({ text }) => `\`${text.trim()}\``)
  expect(run).toEqual(rows.map(({ command }) => command).filter((command) => command !== ''))
})

test('every command of the table is one of the command line, with options that it takes', async () => {
  const program = await buildProgram(recordingTerminal())
  const known = new Map(
    program.commands.flatMap((each) => {
      const options = [program, each, ...each.commands].flatMap((one) => one.options)
      const taken = new Set(options.map(({ long }) => long))
      return [each.name(), ...each.aliases()].map((name) => [name, taken] as const)
    }),
  )
  const wrong = rows.flatMap(({ command, number }) => {
    const [, name = '', ...words] = command.replaceAll('`', '').split(' ')
    const options = words.filter((word) => word.startsWith('--'))
    return command === '' || options.every((option) => known.get(name)?.has(option)) ? [] : [number]
  })
  expect(wrong).toEqual([])
})
