import { expect, test } from 'vitest'
import { runCli } from '../../cli/run-cli.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { recordingTerminal } from './recording-terminal.ts'

test('a run that goes on under another simulated skill is warned of by name, until it ends', async () => {
  const folder = await temporaryFolder()
  const quickstart = (skill: string, latency: string) => [
    'quickstart',
    '--folder',
    folder,
    '--tasks',
    '2',
    '--no-serve',
    '--skill',
    skill,
    '--latency',
    latency,
  ]
  const first = recordingTerminal()
  // No call is answered, so that both runs are unfinished whenever they are interrupted.
  const began = runCli(quickstart('0.4', '600000'), first)
  await expect.poll(() => first.notes.join('\n')).toMatch(/nothing is spent/)
  await expect
    .poll(async () => {
      const looking = recordingTerminal()
      await runCli(['runs', '--folder', folder, '--json'], looking)
      return (JSON.parse(looking.outs[0] ?? '{}') as { data: unknown[] }).data.length
    })
    .toBe(2)
  first.interrupt()
  expect(await began).toBe(130)

  const second = recordingTerminal()
  expect(await runCli(quickstart('0.9', '1'), second)).toBe(0)
  const notes = second.notes.join('\n')
  expect(notes).toMatch(
    /run-\S+ \(quickstart react\) began with the simulated skill 0\.4 and seed 0; .* skill 0\.9/,
  )
  expect(notes).toMatch(/run-\S+ \(quickstart mcts\) began with/)

  const same = recordingTerminal()
  expect(await runCli(['watch', 'latest', '--folder', folder], same)).toBe(0)
  expect(same.notes.join('\n')).not.toMatch(/quickstart mcts\) began with the simulated skill 0\.9/)
})
