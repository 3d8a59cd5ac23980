import { expect, test } from 'vitest'
import { runCli } from '../../cli/run-cli.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { recordingTerminal } from './recording-terminal.ts'

async function espalier(...words: string[]) {
  const terminal = recordingTerminal()
  const exitCode = await runCli(words, terminal)
  return { exitCode, out: terminal.outs.join('\n'), notes: terminal.notes.join('\n') }
}

test('latest is the newest run that is not archived, among several runs too', async () => {
  const folder = ['--folder', await temporaryFolder()]
  const words = [
    'run',
    '--environment',
    'textcraft',
    '--method',
    'react',
    '--model',
    'simulated',
    '--limit',
    '1',
  ]
  for (const name of ['first', 'second']) await espalier(...words, '--name', name, ...folder)
  const [second, first] = JSON.parse((await espalier('runs', ...folder, '--json')).out).data as {
    id: string
  }[]

  const shown = await espalier('show', 'latest', ...folder)
  expect(shown.out).toContain(`run          ${second?.id}  (second)`)
  expect(shown.notes).toContain(`latest is ${second?.id}.`)
  const compared = await espalier('compare', first?.id ?? '', 'latest', ...folder, '--json')
  expect(JSON.parse(compared.out).runs).toMatchObject([{ run: first?.id }, { run: second?.id }])
  await espalier('archive', second?.id ?? '', ...folder)
  expect((await espalier('report', 'latest', ...folder)).notes).toContain(`latest is ${first?.id}.`)
})

test('where there is none, that is said', async () => {
  const { exitCode, notes } = await espalier('show', 'latest', '--folder', await temporaryFolder())
  expect(exitCode).toBe(1)
  expect(notes).toContain('There is no run yet')
})
