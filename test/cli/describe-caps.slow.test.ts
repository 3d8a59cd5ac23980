import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCli } from '../../cli/run-cli.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { recordingTerminal } from './recording-terminal.ts'

const words = [
  'run',
  '--environment',
  'textcraft',
  '--method',
  'react',
  '--model',
  'simulated',
  '--split',
  'train',
]

async function start(...more: string[]): Promise<string> {
  const folder = await temporaryFolder()
  const prices = { '*': { input: 1, output: 2 } }
  const endpoints = { simulated: { kind: 'simulated', skill: 0.9, prices } }
  await writeFile(join(folder, 'endpoints.json'), JSON.stringify({ endpoints }))
  const terminal = recordingTerminal()
  expect(await runCli([...words, '--limit', '8', '--folder', folder, ...more], terminal)).toBeLessThan(2)
  return terminal.notes.join('\n')
}

test('a run says at its start how many episodes its cap pays for', async () => {
  expect(await start('--max-cost', '0.05')).toMatch(/limits\.cost 0\.05 pays for about \d of 8 episodes/)
  expect(await start('--max-tokens', '30000')).toMatch(/limits\.tokens 30000 pays for about \d of 8 episodes/)
})

test('nothing is said of a cap that pays for every episode, or without one', async () => {
  expect(await start('--max-cost', '100')).not.toMatch(/pays for/)
  expect(await start()).not.toMatch(/pays for/)
})

test('resume and sweep say it too', async () => {
  const folder = await temporaryFolder()
  const prices = { '*': { input: 1, output: 2 } }
  await writeFile(
    join(folder, 'endpoints.json'),
    JSON.stringify({ endpoints: { simulated: { kind: 'simulated', skill: 0.9, prices } } }),
  )
  const espalier = async (...more: string[]) => {
    const terminal = recordingTerminal()
    await runCli([...more, '--folder', folder], terminal)
    return terminal.notes.join('\n')
  }
  await espalier(...words, '--limit', '8', '--max-cost', '0.01')
  expect(await espalier('resume', 'latest', '--max-cost', '0.05')).toMatch(
    /limits\.cost 0\.05 pays for about \d of 8 episodes/,
  )
  const file = join(folder, 'sweep.yaml')
  await writeFile(
    file,
    `name: caps
methods: [react]
environments: [{ id: textcraft, tasks: { split: train, limit: 8 } }]
models: [simulated:simulated]
budget: { cost: 0.05 }
`,
  )
  const notes = await espalier('sweep', file)
  expect(notes).toMatch(/begins: (.|\n)*limits\.cost 0\.05 pays for about \d of 8 episodes/)
  expect(notes).not.toContain('succeeded')
})
