import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'

const scripts = join(import.meta.dirname, '../../scripts')

/** A folder with the script, beside steps that note their names, and a command. */
async function makeProject({ failing = '' } = {}) {
  const folder = await temporaryFolder()
  await mkdir(join(folder, 'scripts'))
  await cp(join(scripts, 'with-packages.mjs'), join(folder, 'scripts/with-packages.mjs'))
  const log = join(folder, 'log')
  const note = (name: string) =>
    `import { appendFileSync } from 'node:fs'
appendFileSync(${JSON.stringify(log)}, '${name} ' + (process.argv[2] === '--to-run' ? '--to-run ' : ''))\n`
  for (const name of ['ensure-installed', 'require-node-24', 'ensure-web'])
    await writeFile(
      join(folder, `scripts/${name}.mjs`),
      `${note(name)}${name === failing ? 'process.exit(3)' : ''}`,
    )
  await writeFile(
    join(folder, 'command.mjs'),
    `${note('command')}console.log(JSON.stringify(process.argv.slice(2)))
if (process.argv.includes('wait')) setInterval(() => {}, 1000)
else process.exitCode = 7
`,
  )
  const start = (...words: string[]) =>
    spawn('node', [join(folder, 'scripts/with-packages.mjs'), ...words], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  return { start, noted: async () => (await readFile(log, 'utf8')).trim().split(' ') }
}

test('installs, requires Node 24, then runs the command with its words, output and exit code', async () => {
  const { start, noted } = await makeProject()
  const child = start('node', 'command.mjs', '--project', 'a b')
  const out = text(child.stdout)
  expect(await once(child, 'exit')).toEqual([7, null])
  expect(JSON.parse(await out)).toEqual(['--project', 'a b'])
  expect(await noted()).toEqual(['ensure-installed', 'require-node-24', 'command'])
})

test('builds the dashboard for --pages', async () => {
  const { start, noted } = await makeProject()
  await once(start('--pages', 'node', 'command.mjs'), 'exit')
  expect(await noted()).toEqual(['ensure-installed', 'require-node-24', 'ensure-web', 'command'])
})

test('installs what a run needs for --to-run, and ends without a command', async () => {
  const { start, noted } = await makeProject()
  expect(await once(start('--to-run', '--pages'), 'exit')).toEqual([0, null])
  expect(await noted()).toEqual(['ensure-installed', '--to-run', 'require-node-24', 'ensure-web'])
})

test('the scripts that serve install what a run needs, and become the process', async () => {
  const { scripts: all } = JSON.parse(await readFile(join(scripts, '../package.json'), 'utf8'))
  for (const name of ['quickstart', 'start', 'espalier']) {
    expect(all[name]).toMatch(/^node scripts\/with-packages\.mjs --to-run --pages && exec env node /)
  }
  expect(Object.keys(all).length).toBeLessThanOrEqual(25)
})

test('a failed step ends it with the exit code of the step, before the command', async () => {
  const { start, noted } = await makeProject({ failing: 'require-node-24' })
  expect(await once(start('--pages', 'node', 'command.mjs'), 'exit')).toEqual([3, null])
  expect(await noted()).toEqual(['ensure-installed', 'require-node-24'])
})

test('a missing command is named', async () => {
  const { start } = await makeProject()
  const child = start('no-such-command')
  const said = text(child.stderr)
  expect(await once(child, 'exit')).toEqual([1, null])
  expect(await said).toContain('no-such-command could not be started')
})

test('a signal reaches the command, and ends both', async () => {
  const { start } = await makeProject()
  const child = start('node', 'command.mjs', 'wait')
  await once(child.stdout, 'data')
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([null, 'SIGTERM'])
})
