import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCli } from '../../cli/run-cli.ts'
import type { Run } from '../../shared/core/contracts/run.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { recordingTerminal } from './recording-terminal.ts'

const rmcts = ['--environment', 'textcraft', '--method', 'rmcts', '--model', 'simulated', '--limit', '1']
const small = ['--set', 'iterations=2', '--set', 'max_steps=3', '--set', 'verdicts=1', '--set', 'proposals=2']

async function openFolder() {
  const folder = await temporaryFolder()
  const espalier = async (...words: string[]) => {
    const terminal = recordingTerminal({ columns: 120 })
    const exitCode = await runCli([...words, '--folder', folder], terminal)
    return { exitCode, out: terminal.outs.join('\n'), notes: terminal.notes.join('\n') }
  }
  return { folder, espalier }
}

test('a run says which roles and prompts are its own, what it learned, and how a later run begins with it', async () => {
  const { folder, espalier } = await openFolder()
  const question = '{{transcript}}\n\nAnswer in this form:\nStatus code: <A, B, C, D or E>'
  await writeFile(join(folder, 'question.txt'), `${question}\n`)
  const own = [
    '--role',
    'value.temperature=0.7',
    '--prompt',
    `judge-question=@${join(folder, 'question.txt')}`,
  ]
  const started = await espalier('run', ...rmcts, ...small, ...own)
  expect(started.exitCode).toBe(0)
  expect(started.notes).toContain('roles        value (temperature 0.7)')
  expect(started.notes).toContain('prompts      its own: judge-question')

  const run = JSON.parse((await espalier('runs', '--json')).out).data[0] as Run
  expect(run.request).toMatchObject({
    roles: { value: { temperature: 0.7 } },
    prompts: { 'judge-question': question },
  })
  expect(started.notes).toContain(
    `It learned ${run.memory}: espalier memories ${run.memory} --folder ${folder}`,
  )
  const setting = `memory_from=${run.memory}`
  expect(started.notes).toContain(`--set ${setting}`)
  const shown = (await espalier('show', run.id)).out
  expect(shown).toContain('roles        value (temperature 0.7)')
  expect(shown).toContain(`leaves       ${run.memory}; in a later run: --set ${setting}`)

  expect((await espalier('run', ...rmcts, ...small, '--set', setting)).exitCode).toBe(0)
})

test('a run that had nothing to learn from says so, and offers nothing', async () => {
  const { espalier } = await openFolder()
  const limited = ['--episode-turns', '1', '--set', 'reflect_policy=false', '--set', 'reflect_value=false']
  const { notes } = await espalier('run', ...rmcts, ...small, ...limited)
  expect(notes).toMatch(/It learned nothing: mem-\S+ is empty/)
  expect(notes).not.toContain('--set memory_from=')
})

test('a run without roles, prompts or anything learned says nothing of them', async () => {
  const { espalier } = await openFolder()
  const react = ['--environment', 'textcraft', '--method', 'react', '--model', 'simulated', '--limit', '1']
  const { notes } = await espalier('run', ...react)
  expect(notes).not.toMatch(/roles|prompts|learned/)
})

test.each([
  [['--prompt', 'judge-question=@nowhere.txt'], '--prompt judge-question: nowhere.txt cannot be read'],
  [['--prompt', 'judge-questions=text'], 'shows no prompt "judge-questions"'],
  [['--prompt', 'judge-question={{transkript}}'], 'has the slot {{transkript}}, which nothing fills'],
  [['--prompt', 'judge-question={transcript}'], 'Write {{transcript}}'],
  [['--set', 'value=foo'], '"method.value" must be one of'],
  [['--role', 'referee=simulated:simulated'], 'roles.referee'],
  [['--role', 'value.temprature=1'], 'roles.value.temprature'],
])('%j is refused and no run is started', async (words, message) => {
  const { espalier } = await openFolder()
  const { exitCode, notes } = await espalier('run', ...rmcts, ...words)
  expect(exitCode).toBe(2)
  expect(notes).toContain(message)
  expect(JSON.parse((await espalier('runs', '--json')).out).data).toEqual([])
})
