import { expect, test } from 'vitest'
import { runCli } from '../../cli/run-cli.ts'
import { nodeDetailSchema } from '../../shared/core/contracts/node-detail.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { recordingTerminal } from './recording-terminal.ts'

async function espalier(folder: string, ...words: string[]) {
  const terminal = recordingTerminal()
  const exitCode = await runCli([...words, '--folder', folder], terminal)
  return { exitCode, out: terminal.outs.join('\n'), notes: terminal.notes.join('\n') }
}

test('a node is shown with its prompt and answers, for people and as JSON', async () => {
  const folder = await temporaryFolder()
  const words = ['--environment', 'textcraft', '--method', 'react', '--model', 'simulated', '--limit', '1']
  const { out } = await espalier(folder, 'run', ...words, '--json')
  const run = /run-[0-9a-z]{10}-[0-9a-z]{8}/.exec(out)?.[0] ?? ''

  const shown = await espalier(folder, 'show', run, 'ep-0000000', '--node', '1')
  expect(shown.exitCode).toBe(0)
  expect(shown.out).toContain('place        depth 1, below #0')
  expect(shown.out).toMatch(/^led here +node\/0\/sample\/0, policy \(simulated\/simulated\): 1 call, /m)
  const read = await espalier(folder, 'show', run, 'ep-0000000', '--node', '1', '--json')
  expect(nodeDetailSchema.parse(JSON.parse(read.out))).toMatchObject({ run, index: 1, node: { parent: 0 } })

  const absent = await espalier(folder, 'show', run, 'ep-0000000', '--node', '999')
  expect(absent.exitCode).toBeGreaterThan(0)
  expect(absent.notes).toContain('has no node 999')
  const odd = await espalier(folder, 'show', run, 'ep-0000000', '--node', '1.5')
  expect(odd.exitCode).toBeGreaterThan(0)
  const nowhere = await espalier(folder, 'show', run, '--node', '1')
  expect(nowhere.exitCode).toBe(2)
  expect(nowhere.notes).toContain('Which episode?')
})
