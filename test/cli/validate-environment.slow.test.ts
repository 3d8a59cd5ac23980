import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCli } from '../../cli/run-cli.ts'
import { createHostApp } from '../../containers/env-host/create-host-app.ts'
import { validationReportSchema } from '../../shared/core/contracts/validation-report.ts'
import { openTable } from '../containers/env-host/open-table.ts'
import { serveApp } from '../support/serve-app.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { recordingTerminal } from './recording-terminal.ts'

const example = join(import.meta.dirname, '../../examples/guess-number.ts')

async function validate(...words: string[]) {
  const terminal = recordingTerminal()
  const exitCode = await runCli(['environments', 'validate', ...words], terminal)
  return { exitCode, out: terminal.outs.join('\n'), notes: terminal.notes.join('\n') }
}

test('an environment of ours is validated by its id, and the table says what was checked', async () => {
  const { exitCode, out } = await validate('textcraft', '--tasks', '2', '--steps', '5')
  expect(exitCode).toBe(0)
  expect(out).toMatch(/^textcraft: 2 tasks, \d+ steps, seed 0\n/)
  expect(out).toMatch(/determinism +passed +the same actions/)
  expect(out).toContain('textcraft holds in every check that was made.')
})

test('a module of yours is validated, in this process and on a host', async () => {
  const here = await validate(example, '--tasks', '2', '--steps', '5', '--json')
  expect(here.exitCode).toBe(0)
  const report = validationReportSchema.parse(JSON.parse(here.out))
  expect(report).toMatchObject({ environment: 'guess-number', ok: true })
  const there = await validate(example, '--hosting', 'host', '--tasks', '2', '--steps', '5', '--json')
  expect(JSON.parse(there.out)).toMatchObject({ environment: 'guess-number', ok: true, tasks: report.tasks })
})

test('a host is validated at its address, with two places, and its sessions are given back', async () => {
  const { table } = await openTable({ slots: 2 })
  const address = await serveApp(createHostApp(table, () => undefined))
  const words = [address, '--environment', 'textcraft', '--tasks', '2', '--steps', '8', '--json']
  const { exitCode, out } = await validate(...words)
  expect(exitCode).toBe(0)
  const { checks } = validationReportSchema.parse(JSON.parse(out))
  const passed = checks.filter(({ status }) => status === 'passed').map(({ id }) => id)
  expect(passed).toEqual(
    expect.arrayContaining(['odd-actions', 'state', 'determinism', 'going-back', 'forks']),
  )
  expect(table.health().sessions).toBe(0)
})

test('a broken environment fails with exit code 1, and says which check, where and why', async () => {
  const file = join(await temporaryFolder(), 'broken.ts')
  await writeFile(
    file,
    `import { guessNumber } from '${example}'
let asked = 0
export const broken = {
  ...guessNumber,
  id: 'broken',
  async open(task) {
    const core = await guessNumber.open(task)
    return { ...core, step: (state, action) => ({ ...core.step(state, action), observation: 'Guess ' + (asked += 1) }) }
  },
}
`,
  )
  const { exitCode, out, notes } = await validate(file)
  expect(exitCode).toBe(1)
  expect(out).toMatch(/determinism +failed/)
  expect(out).toMatch(
    /determinism failed: "observation" is another one.*\n {2}at step 1 of guess-\d+, action ".*"\n {2}expected: Guess 1\n {2}came: +Guess \d+/,
  )
  expect(out).toContain('forks was skipped: It is not deterministic.')
  expect(notes).toContain('Not as it should be: broken.')
  const json = await validate(file, '--json')
  expect(json.exitCode).toBe(1)
  expect(validationReportSchema.parse(JSON.parse(json.out)).ok).toBe(false)
})

test.each<[string[], number, RegExp]>([
  [['atlantis'], 2, /no environment "atlantis"/],
  [['./no-such-file.ts'], 2, /cannot be loaded/],
  [['./game.rb'], 2, /is no module.*docs\/own-environments\.md/],
  [['./game.py'], 2, /game\.py: .*it ended with code/],
  [[example, '--environment', 'chess'], 2, /no environment "chess".*guess-number/],
  [['http://127.0.0.1:1'], 1, /cannot be reached/],
  [['textcraft', '--tasks', '0'], 2, /whole number/],
  [['textcraft', '--data', 'mine'], 2, /no data pack "mine"/],
  [[], 2, /missing required argument/],
])('%j is answered with what to do', async (words, exitCode, message) => {
  const refused = await validate(...words)
  expect(refused).toMatchObject({ exitCode, notes: expect.stringMatching(message) })
})
