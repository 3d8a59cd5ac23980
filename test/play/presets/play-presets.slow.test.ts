import { expect, test } from 'vitest'
import { runCli } from '../../../cli/run-cli.ts'
import type { PresetInfo } from '../../../shared/core/contracts/preset.ts'
import { presetIdSchema } from '../../../shared/core/contracts/preset.ts'
import type { Run } from '../../../shared/core/contracts/run.ts'
import { recordingTerminal } from '../../cli/recording-terminal.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

async function openCli() {
  const folder = await temporaryFolder()
  return async (...words: string[]) => {
    const terminal = recordingTerminal({ columns: 120 })
    const exitCode = await runCli([...words, '--folder', folder], terminal)
    return { exitCode, out: terminal.outs.join('\n'), notes: terminal.notes.join('\n') }
  }
}

/** Each preset where it can be played in process, and what has to be said for the data that comes along. */
const played: [preset: string, environment: string, more: string[], request: object][] = [
  ['exact-vwa', 'textcraft', [], { method: { id: 'rmcts', value: 'debate', iterations: 20, max_steps: 5 } }],
  ['exact-osworld', 'textcraft', [], { method: { id: 'rmcts', plan: 'whole-task', iterations: 60 } }],
  ['agent-r', 'webshop', [], { method: { id: 'mcts', iterations: 8, samples: 4, max_depth: 20 } }],
  ['eto', 'webshop', [], { method: { id: 'react', max_steps: 10 }, model: { temperature: 0 } }],
  ['eto', 'alfworld', ['--split', 'test'], { method: { id: 'react', max_steps: 40 } }],
  [
    'learnact',
    'pddl',
    ['--type', 'gripper'],
    { method: { id: 'learnact', max_steps: 30 }, environment_options: { language: 'agentboard' }, epochs: 3 },
  ],
]

test.each(played)(
  '%s plays 5 tasks of %s with the simulated model, and the run keeps its name and what it stands for',
  async (preset, environment, more, request) => {
    const espalier = await openCli()
    const asked = ['--preset', preset, '--environment', environment, '--model', 'simulated', '--limit', '5']
    const { exitCode, notes } = await espalier('run', ...asked, ...more)
    expect([exitCode, notes]).toEqual([0, expect.any(String)])
    const run = JSON.parse((await espalier('runs', '--json')).out).data[0] as Run
    expect(run).toMatchObject({ status: 'succeeded', episodes: { errored: 0 }, request })
    expect(run.episodes.total - run.learning_episodes).toBe(5 * run.request.epochs)
    expect(run.request.preset).toMatchObject({ id: preset })
    const shown = (await espalier('show', run.id)).out
    expect(shown).toContain(`preset       ${preset}, with `)
    if (more.includes('--split'))
      expect(shown.replaceAll(/\s+/g, ' ')).toContain('tasks.split is "test" by request')
  },
)

test('espalier presets states the source of every setting, and what remains different', async () => {
  const espalier = await openCli()
  const { data } = JSON.parse((await espalier('presets', '--json')).out) as { data: PresetInfo[] }
  expect(data.map(({ id }) => id)).toEqual(presetIdSchema.options)
  for (const { deviations, paper, settings, source } of data) {
    expect(paper).toMatch(/arXiv \d{4}\.\d{5}/)
    expect(source).not.toBe('')
    expect(settings.every((setting) => setting.source !== '' && setting.field !== '')).toBe(true)
    expect(deviations.every(({ text }) => text !== '') && deviations.length > 0).toBe(true)
  }
  const shown = (await espalier('presets', 'exact-vwa')).out
  expect(shown).toMatch(/method\.iterations +20 +ExACT, branch/)
  expect(shown).toContain('What remains different')
  expect((await espalier('presets')).out).toContain('learnact')
  expect(await espalier('presets', 'lats')).toMatchObject({
    exitCode: 1,
    notes: expect.stringContaining('There is no preset "lats"'),
  })
})

test('a preset that is not there, or without an environment, is refused by name', async () => {
  const espalier = await openCli()
  const refused = await espalier(
    'run',
    '--preset',
    'lats',
    '--environment',
    'webshop',
    '--model',
    'simulated',
  )
  expect(refused).toMatchObject({ exitCode: 2, notes: expect.stringContaining('There is no preset "lats"') })
  const homeless = await espalier('run', '--preset', 'eto', '--model', 'simulated')
  expect(homeless).toMatchObject({ exitCode: 2, notes: expect.stringContaining('--environment') })
})

test.each([
  ['eto', 'alfworld', [], /"eto".*no split "valid_unseen".*espalier data fetch alfworld/],
  ['exact-vwa', 'miniwob', [], /"exact-vwa".*no data here.*espalier data fetch miniwob/],
  ['exact-osworld', 'osworld', [], /"exact-osworld".*espalier data add osworld FOLDER.*evaluation_examples/],
  ['eto', 'webshop', ['--data', 'full'], /"eto".*no data pack "full".*espalier data add webshop FOLDER/],
  ['agent-r', 'webshop', ['--range', '900000-900001'], /"agent-r".*range.*espalier data fetch webshop/],
] as const)(
  '%s in %s names itself and the data pack that it lacks',
  async (preset, environment, more, message) => {
    const espalier = await openCli()
    const asked = ['--preset', preset, '--environment', environment, '--model', 'simulated', ...more]
    expect(await espalier('run', ...asked)).toMatchObject({
      exitCode: 2,
      notes: expect.stringMatching(message),
    })
  },
)
