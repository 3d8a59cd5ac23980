import { expect, test } from 'vitest'
import { runCli, withAdvice } from '../../cli/run-cli.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { recordingTerminal } from './recording-terminal.ts'

test.each([
  ['run', /^Gone\. `espalier runs` lists them, and `latest` is the newest run\.$/],
  ['runs[2]', /`latest` is the newest run/],
  ['dataset', /`espalier datasets` lists them/],
  ['episode', /^Gone\.$/],
  [null, /^Gone\.$/],
])('a missing object of the field %s leads to its list', (param, message) => {
  expect(withAdvice({ code: 'not_found', message: 'Gone.', param })).toMatch(message)
})

test.each([
  [['report', 'run-0123']],
  [['compare', 'run-0123', 'run-0124']],
  [['export', 'run-0123', '--kind', 'sft']],
])('%j names the list of runs and latest, and no address of the API', async (words) => {
  const terminal = recordingTerminal()
  expect(await runCli([...words, '--folder', await temporaryFolder()], terminal)).toBe(1)
  expect(terminal.notes.join('\n')).toContain('There is no run "run-0123"')
  expect(terminal.notes.join('\n')).toContain('`latest` is the newest run')
  expect(terminal.notes.join('\n')).not.toMatch(/\/v1\//)
})

test('a command without its run suggests latest', async () => {
  const terminal = recordingTerminal()
  expect(await runCli(['report'], terminal)).toBe(2)
  expect(terminal.notes.join('\n')).toContain('`latest`')
})
