import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { runCli } from '../../cli/run-cli.ts'
import { recordingTerminal } from './recording-terminal.ts'

async function openFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'espalier-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return async (words: string[], columns = 100) => {
    const terminal = recordingTerminal({ columns })
    const exitCode = await runCli([...words, '--folder', folder], terminal)
    return { exitCode, out: terminal.outs.join('\n'), notes: terminal.notes.join('\n') }
  }
}

const run = ['run', '--environment', 'textcraft', '--method', 'mcts', '--model', 'simulated', '--limit', '3']

it('run --dry-run says what a run would take and starts none', async () => {
  const espalier = await openFolder()
  const { exitCode, out } = await espalier([...run, '--dry-run', '--max-tokens', '100'])
  expect(exitCode).toBe(0)
  expect(out).toMatch(/model calls +\d[\d,.]* /)
  expect(out).toContain('limits.tokens 100: will be met')
  expect(out).toContain('as measured on 3 tasks')
  expect(JSON.parse((await espalier(['runs', '--json'])).out).data).toEqual([])
})

it('run --dry-run --json gives the estimate as one document', async () => {
  const espalier = await openFolder()
  const { out } = await espalier([...run, '--dry-run', '--json'])
  expect(JSON.parse(out)).toMatchObject({ object: 'run_estimate', episodes: { expected: 3, at_most: 3 } })
})

it('fits a narrow terminal', async () => {
  const espalier = await openFolder()
  const { out } = await espalier([...run, '--dry-run'], 60)
  expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(60)
})

it('run --dry-run refuses what run refuses', async () => {
  const espalier = await openFolder()
  const { exitCode, notes } = await espalier([...run, '--dry-run', '--split', 'tset'])
  expect(exitCode).toBe(2)
  expect(notes).toContain('no split "tset"')
})
