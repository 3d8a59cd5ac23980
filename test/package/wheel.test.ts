import { execFile, spawnSync } from 'node:child_process'
import { mkdir, readdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { lentFolder, temporaryFolder } from '../support/temporary-folder.ts'

const run = promisify(execFile)
const root = resolve(import.meta.dirname, '../..')
const given = process.env.ESPALIER_PYTHON ?? 'python3'
// The given Python, and further ones if they are installed: the wheel is the same for all.
const pythons = [
  given,
  ...['python3.11', 'python3.13'].filter(
    (name) => spawnSync(name, ['-c', 'import venv, ensurepip']).status === 0,
  ),
]
let wheel = ''

beforeAll(async () => {
  const { folder, remove } = await lentFolder()
  const build = join(root, 'scripts/package/build-wheel.ts')
  await run(process.execPath, [build, folder], {
    cwd: root,
    maxBuffer: 2 ** 26,
  })
  wheel = join(folder, (await readdir(folder)).find((name) => name.endsWith('.whl')) ?? '')
  return remove
})

test('the wheel is for every platform, and smaller than 45 MB', async () => {
  expect(wheel).toMatch(/-py3-none-any\.whl$/)
  expect((await stat(wheel)).size).toBeLessThan(45_000_000)
})

const program = `
import sys
from espalier import Client
with Client(folder="data") as client:
    run = client.run("textcraft", "react", "simulated", limit=2).wait(progress=False)
    print(run.data.episodes.total, "episodes over", sys.version_info[:2])
`

test.each(pythons)('%s runs it in a clean environment without npm and Node', async (python) => {
  const folder = await temporaryFolder()
  const venv = join(folder, 'venv')
  const work = join(folder, 'work')
  await mkdir(work)
  await run(python, ['-m', 'venv', venv])
  const installed = join(venv, 'bin/python')
  await run(installed, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', wheel])
  const options = { cwd: work, env: { HOME: folder, PATH: join(venv, 'bin') }, maxBuffer: 2 ** 26 }
  const quickstart = ['quickstart', '--no-serve', '--tasks', '6', '--latency', '0']
  const { stdout } = await run(installed, ['-m', 'espalier', ...quickstart], options)
  expect(stdout).toContain('mcts minus react')
  expect(stdout).toMatch(/\nespalier show run-\S+ ep-\S+ --tree/)
  const { stdout: played } = await run(installed, ['-c', program], options)
  expect(played).toContain('2 episodes over')
  const { stdout: version } = await run(join(venv, 'bin/espalier'), ['--version'], options)
  expect(version.trim()).toMatch(/^\d+\.\d+\.\d+$/)
})
