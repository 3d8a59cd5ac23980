import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { runCli } from '../../cli/run-cli.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { recordingTerminal } from './recording-terminal.ts'

const root = resolve(import.meta.dirname, '../..')

test('extend follows the run to its end and reports it, as run does', async () => {
  const folder = await temporaryFolder()
  const espalier = async (...words: string[]) => {
    const terminal = recordingTerminal()
    const exitCode = await runCli([...words, '--folder', folder], terminal)
    return { exitCode, out: terminal.outs.join('\n'), notes: terminal.notes.join('\n') }
  }
  const words = 'run --environment textcraft --method mcts --set iterations=2 --model simulated --limit 2'
  const played = await espalier(...words.split(' '))
  expect(played.exitCode, played.notes).toBe(0)
  const extended = await espalier('extend', 'latest', '--set', 'iterations=4')
  expect(extended.exitCode, extended.notes).toBe(0)
  const [run] = JSON.parse((await espalier('runs', '--json')).out).data
  expect(run).toMatchObject({ status: 'succeeded', request: { method: { iterations: 4 } } })
  expect(extended.out).toMatch(/[Ss]uccess/)
})

test('README and first steps both name the way to train here', async () => {
  const [readme = '', steps = ''] = await Promise.all(
    ['README.md', 'docs/first-steps.md'].map((path) => readFile(join(root, path), 'utf8')),
  )
  expect(readme).toMatch(/\[Train\]\(docs\/trainings\.md\) with TRL/)
  expect(steps).toMatch(/trains with TRL.*`espalier train /)
  for (const text of [readme, steps]) expect(text).not.toMatch(/(does not|cannot|no) train/i)
})
