import { spawn } from 'node:child_process'
import { cp, mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'

const script = join(import.meta.dirname, '../../scripts/ensure-installed.mjs')

/** A project without dependencies that has the script. */
async function makeProject(): Promise<string> {
  const folder = await temporaryFolder()
  const named = { name: 'empty', version: '1.0.0' }
  await mkdir(join(folder, 'scripts'))
  await cp(script, join(folder, 'scripts/ensure-installed.mjs'))
  await writeFile(join(folder, 'package.json'), JSON.stringify(named))
  const lock = { ...named, lockfileVersion: 3, requires: true, packages: { '': named } }
  await writeFile(join(folder, 'package-lock.json'), JSON.stringify(lock))
  return folder
}

async function ensure(folder: string): Promise<{ code: number | null; said: string }> {
  const child = spawn(process.execPath, [join(folder, 'scripts/ensure-installed.mjs')], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env.PATH },
  })
  const said = text(child.stderr)
  const code = await new Promise<number | null>((ended) => child.once('exit', ended))
  return { code, said: await said }
}

test('of several that are started at once one installs, and the others wait for it', async () => {
  const folder = await makeProject()
  const all = await Promise.all(Array.from({ length: 4 }, () => ensure(folder)))
  expect(all.map(({ code }) => code)).toEqual([0, 0, 0, 0])
  expect(all.filter(({ said }) => said.includes('Installing the locked packages'))).toHaveLength(1)
  expect(await readdir(folder)).not.toContain('.espalier-installing')
  expect(await ensure(folder)).toEqual({ code: 0, said: '' })
}, 60_000)

test('the lock of a process that has gone stops no one, and what fails is tried again by the next', async () => {
  const folder = await makeProject()
  const gone = spawn(process.execPath, ['--version'], { stdio: 'ignore' })
  await new Promise((ended) => gone.once('exit', ended))
  await mkdir(join(folder, '.espalier-installing'))
  await writeFile(join(folder, '.espalier-installing/pid'), String(gone.pid))
  await writeFile(join(folder, 'package.json'), 'no JSON')
  const failed = await ensure(folder)
  expect(failed.code).not.toBe(0)
  expect(failed.said).toContain('npm ci failed')
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'empty', version: '1.0.0' }))
  expect((await ensure(folder)).code).toBe(0)
}, 60_000)
