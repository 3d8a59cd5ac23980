import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { programsFolder } from '../environments/runtimes/programs-folder.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const espalier = resolve(import.meta.dirname, '../../cli/espalier.ts')

interface Refusal {
  code: number
  stdout: string
}

/** Runs the command with no program on its PATH but the shell's own. */
async function refused(folder: string, environment: string, ...more: string[]) {
  const words = ['run', '--environment', environment, '--method', 'react', '--model', 'simulated', '--json']
  const env = {
    PATH: await programsFolder({}),
    ESPALIER_CACHE: folder,
    ESPALIER_CHROMIUM: '/nowhere/chromium',
  }
  const running = promisify(execFile)(process.execPath, [espalier, ...words, '--folder', folder, ...more], {
    env,
  })
  const { code, stdout } = await running.then(
    () => ({ code: 0, stdout: '' }),
    (error: Refusal) => error,
  )
  const { error } = JSON.parse(stdout) as { error: { code: string; message: string; param: string | null } }
  const { data } = JSON.parse(
    (await promisify(execFile)(process.execPath, [espalier, 'runs', '--folder', folder, '--json'], { env }))
      .stdout,
  ) as { data: unknown[] }
  return { code, error, runs: data.length }
}

test.each([
  ['scienceworld', [], /Python \(python3\) cannot be started.*apt-get install.*Java cannot.*openjdk-17/],
  ['alfworld-textworld', [], /Python.*alfworld-textworld\/host\/requirements\.txt/],
  ['sites', [], /\/nowhere\/chromium, which does not exist.*apt install chromium/],
  ['desktop', ['--dry-run'], /xvfb.*apt-get install/],
] as const)(
  'a run of %s is refused before it begins if its programs are missing',
  async (id, more, message) => {
    const { code, error, runs } = await refused(await temporaryFolder(), id, ...more)
    expect({ code, runs }).toEqual({ code: 1, runs: 0 })
    expect(error).toEqual({
      code: 'not_supported',
      message: expect.stringMatching(message),
      param: 'environment',
    })
  },
)

test('a Python environment and a BrowserGym benchmark are refused without Python', async () => {
  const folder = await temporaryFolder()
  await writeFile(join(folder, 'mine.py'), '')
  const added = {
    mine: { kind: 'program', command: ['python3', 'mine.py'] },
    gym: { kind: 'browsergym', benchmark: 'miniwob' },
  }
  await writeFile(join(folder, 'environments.json'), JSON.stringify({ environments: added }))
  for (const id of Object.keys(added)) {
    const { code, error, runs } = await refused(folder, id)
    expect({ code: code > 0, runs }).toEqual({ code: true, runs: 0 })
    expect(error.message).toMatch(/python3.*Install Python 3\.11 or later \(apt-get install python3/)
  }
})
