import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCli } from '../../cli/run-cli.ts'
import { openService } from '../../local/open-service.ts'
import { methodValidationSchema } from '../../shared/core/contracts/method-validation.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { recordingTerminal } from './recording-terminal.ts'

const example = join(import.meta.dirname, '../../examples/greedy.ts')
const few = ['--environment', 'textcraft', '--model', 'simulated', '--limit', '2']

async function espalier(...words: string[]) {
  const terminal = recordingTerminal()
  const exitCode = await runCli(words, terminal)
  return { exitCode, out: terminal.outs.join('\n'), notes: terminal.notes.join('\n') }
}

test('--method with a file plays it, in a worker process, and adds it to methods.json', async () => {
  const folder = await temporaryFolder()
  const estimate = await espalier('run', ...few, '--method', example, '--dry-run', '--folder', folder)
  expect(estimate).toMatchObject({ exitCode: 0, out: expect.stringContaining('model calls') })
  await expect(readFile(join(folder, 'methods.json'))).rejects.toThrow()

  const { exitCode, notes, out } = await espalier(
    'run',
    ...few,
    '--method',
    example,
    '--json',
    '--folder',
    folder,
  )
  expect(exitCode, notes).toBe(0)
  expect(notes).toContain('greedy was added to')
  const [run = ''] = out.trim().split('\n').slice(-2)
  expect(JSON.parse(run)).toMatchObject({
    status: 'succeeded',
    request: { method: { id: 'greedy', samples: 4 } },
    resolved: { module: { file: expect.stringMatching(/greedy\.ts$/) } },
  })
  const { out: shown } = await espalier('methods', 'greedy', '--folder', folder)
  expect(shown).toMatch(/added from .*greedy\.ts, version [0-9a-f]{16}/)
  expect((await espalier('doctor', '--folder', folder)).out).toMatch(
    /ok +method greedy: added by methods\.json/,
  )
}, 240_000)

test('a service that does not know the method says what to do, and nothing is written', async () => {
  const folder = await temporaryFolder()
  const service = await openService({ folder, port: 0, log: () => undefined })
  try {
    const refused = await espalier('run', ...few, '--method', example, '--folder', folder)
    expect(refused.exitCode).toBe(1)
    expect(refused.notes).toMatch(
      /does not know the method "greedy".*Add it to methods\.json.*start the service again/,
    )
    await expect(readFile(join(folder, 'methods.json'))).rejects.toThrow()
  } finally {
    await service.close({ grace: 0 })
  }
})

test('a file is shown without a service, and refused with the field at fault', async () => {
  const shown = await espalier('methods', 'show', example)
  expect(shown).toMatchObject({ exitCode: 0, out: expect.stringContaining('--set samples=4') })
  const file = join(await temporaryFolder(), 'own.ts')
  await writeFile(
    file,
    "export const own = { id: 'own', description: 'x', branches: false, play: async () => {}, parameters: {} }",
  )
  expect(await espalier('methods', file)).toMatchObject({
    exitCode: 2,
    notes: expect.stringContaining('"own.parameters" must be a schema of zod 4'),
  })
  expect((await espalier('run', ...few, '--method', './nowhere.ts')).notes).toMatch(
    /nowhere\.ts cannot be loaded/,
  )
})

test('validate prints the laws, and finds a method that never comes back', async () => {
  const well = await espalier(
    'methods',
    'validate',
    example,
    '--environment',
    'textcraft',
    '--steps',
    '2',
    '--json',
  )
  expect(well.exitCode, well.notes).toBe(0)
  expect(methodValidationSchema.parse(JSON.parse(well.out))).toMatchObject({
    method: 'greedy',
    ok: true,
    episodes: 1,
  })
  const file = join(await temporaryFolder(), 'endless.ts')
  await writeFile(
    file,
    `export const endless = {
  id: 'endless',
  description: 'Never comes back.',
  branches: false,
  parameters: { type: 'object', properties: { max_steps: { type: 'integer' } } },
  async play() {
    for (;;) await null
  },
}
`,
  )
  const words = ['methods', 'validate', file, '--environment', 'textcraft', '--time-limit', '6']
  const endless = await espalier(...words)
  expect(endless.exitCode).toBe(1)
  expect(endless.out).toMatch(/ends +failed/)
  expect(endless.out).toMatch(/ends is broken: It took more than 6 seconds, and was ended at the law plays/)
  expect(endless.out).toContain('to mend:  Bound every loop')
  expect(endless.notes).toContain('Not as it should be: endless.')
}, 240_000)
