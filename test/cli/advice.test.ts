import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCli, withAdvice } from '../../cli/run-cli.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { recordingTerminal } from './recording-terminal.ts'

test.each([
  ['run', /^Gone\. `espalier runs` lists them, and `latest` is the newest run\.$/],
  ['runs[2]', /`latest` is the newest run/],
  ['dataset', /`espalier datasets` lists them/],
  ['model', /`espalier models list` lists them/],
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

test('a joined worker whose token is refused looks at its own option', async () => {
  const terminal = recordingTerminal()
  const words = ['worker', '--join', 'https://127.0.0.1:1', '--token', 'garbage', '--json']
  expect(await runCli([...words, '--folder', await temporaryFolder()], terminal)).toBe(1)
  expect(terminal.notes.join('\n')).toMatch(/Look at --token and ESPALIER_TOKEN\.$/)
  expect(terminal.notes.join('\n')).not.toContain('--api-key')
  expect(JSON.parse(terminal.outs.join('\n'))).toMatchObject({ error: { code: 'invalid_key' } })
})

test.each(['nope', 'file/model'])(
  'a model in a folder that there is not is wrong usage: %s',
  async (name) => {
    const folder = await temporaryFolder()
    await writeFile(join(folder, 'file'), '')
    const terminal = recordingTerminal()
    const words = ['models', 'add', join(folder, name), '--service', 'http://127.0.0.1:1']
    expect(await runCli(words, terminal)).toBe(2)
    expect(terminal.notes).toEqual([`${join(folder, name)}: there is no such folder.`])
  },
)
