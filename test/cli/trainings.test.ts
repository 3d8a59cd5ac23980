import { describe, expect, test } from 'vitest'
import { followAndPrint } from '../../cli/commands/train.ts'
import { runCli } from '../../cli/run-cli.ts'
import type { Training } from '../../shared/core/contracts/training.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { recordingTerminal } from './recording-terminal.ts'

describe('--detach where no service would stay', () => {
  test.each([
    [['train', 'dataset-1', '--base', 'owner/model']],
    [['trainings', 'resume', 'training-1', '--max-time', '60']],
  ])('is refused before anything is changed: %j', async (words) => {
    const folder = await temporaryFolder()
    const terminal = recordingTerminal()
    expect(await runCli([...words, '--detach', '--folder', folder], terminal)).toBe(2)
    expect(terminal.notes.join('\n')).toMatch(/^With --detach the training needs a service that stays/m)
    const looking = recordingTerminal()
    expect(await runCli(['trainings', '--json', '--folder', folder], looking)).toBe(0)
    expect(JSON.parse(looking.outs.join('\n')).data).toEqual([])
  })
})

test.each([
  [true, 'Stopped. The training goes on from its last checkpoint with: espalier trainings resume t-1'],
  [
    false,
    'The training goes on at the service. Look: espalier trainings t-1; stop it: espalier trainings pause t-1',
  ],
])('Ctrl-C says what becomes of a training, played here: %s', async (embedded, message) => {
  const training = {
    id: 't-1',
    status: 'running',
    progress: { phase: 'training', step: 1, steps: 9, tokens_per_second: null, seconds_left: null },
    metrics: null,
    usage: { seconds: 1, cost: 0, starts: 1 },
  } as unknown as Training
  const terminal = recordingTerminal()
  const connection = { embedded, client: { training: async () => training } } as never
  const options = { folder: '.espalier' } as never
  const following = followAndPrint(connection, training, options, terminal)
  terminal.interrupt()
  await expect(following).rejects.toMatchObject({ exitCode: 130, message })
})
