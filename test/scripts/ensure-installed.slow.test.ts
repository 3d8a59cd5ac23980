import { execFile, spawn } from 'node:child_process'
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'

const root = join(import.meta.dirname, '../..')
const script = join(root, 'scripts/ensure-installed.mjs')

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

async function ensure(folder: string, ...words: string[]): Promise<{ code: number | null; said: string }> {
  const child = spawn(process.execPath, [join(folder, 'scripts/ensure-installed.mjs'), ...words], {
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
})

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
})

test('a script that runs the service leaves development packages out, and the first that needs all adds them', async () => {
  const folder = await makeProject()
  const packages: Record<string, object> = {}
  const file = (name: string) => `file:${join(folder, 'packed', `${name}-1.0.0.tgz`)}`
  await mkdir(join(folder, 'packed'))
  for (const [name, dev] of Object.entries({ run: false, react: true, check: true })) {
    const source = join(folder, 'sources', name)
    await mkdir(source, { recursive: true })
    await writeFile(join(source, 'package.json'), JSON.stringify({ name, version: '1.0.0' }))
    for (const part of ['index.js', 'index.js.map', 'site.map']) await writeFile(join(source, part), '{}')
    await promisify(execFile)('npm', ['pack', '--silent', '--pack-destination', join(folder, 'packed')], {
      cwd: source,
    })
    packages[`node_modules/${name}`] = { version: '1.0.0', resolved: file(name), ...(dev && { dev }) }
  }
  const manifest = {
    name: 'small',
    version: '1.0.0',
    dependencies: { run: file('run') },
    devDependencies: { react: file('react'), check: file('check') },
  }
  const lock = {
    ...{ name: 'small', version: '1.0.0', lockfileVersion: 3, requires: true },
    packages: { '': manifest, ...packages },
  }
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest))
  await writeFile(join(folder, 'package-lock.json'), JSON.stringify(lock))
  const installed = async () =>
    (await readdir(join(folder, 'node_modules'))).filter((name) => !name.startsWith('.'))

  expect((await ensure(folder, '--to-run')).said).toMatch(
    /that a run needs.*\n(.*\n)* {2}\d+ packages in \d+ s/,
  )
  expect(await installed()).toEqual(['react', 'run'])
  expect((await readdir(join(folder, 'node_modules/run'))).toSorted()).toEqual([
    'index.js',
    'package.json',
    'site.map',
  ])
  expect(await ensure(folder, '--to-run')).toEqual({ code: 0, said: '' })
  expect((await ensure(folder)).code).toBe(0)
  expect(await installed()).toEqual(['check', 'react', 'run'])
  expect(await ensure(folder, '--to-run')).toEqual({ code: 0, said: '' })
  expect(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))).toEqual(manifest)
  expect(JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8'))).toEqual(lock)
})

test('packages that npm itself installed are not installed again, unless some are missing or older', async () => {
  const folder = await makeProject()
  const source = join(folder, 'source')
  await mkdir(source)
  await writeFile(join(source, 'package.json'), JSON.stringify({ name: 'run', version: '1.0.0' }))
  const npm = (...words: string[]) => promisify(execFile)('npm', words, { cwd: folder })
  await npm('pack', '--silent', './source')
  const dependencies = { run: 'file:run-1.0.0.tgz' }
  await writeFile(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'empty', version: '1.0.0', dependencies }),
  )
  await npm('install', '--package-lock-only', '--offline')
  await npm('ci', '--offline')
  for (const words of [['--to-run'], []])
    expect(await ensure(folder, ...words)).toEqual({ code: 0, said: '' })
  await rm(join(folder, 'node_modules/.espalier-installed'))
  const lock = join(folder, 'node_modules/.package-lock.json')
  await writeFile(lock, (await readFile(lock, 'utf8')).replaceAll('1.0.0', '0.9.0'))
  expect((await ensure(folder)).said).toContain('Installing the locked packages')
})

test('the packages of the dashboard are those that its sources import', async () => {
  const { devDependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    devDependencies: Record<string, string>
  }
  const listed = /const dashboard = \[([^\]]*)\]/.exec(await readFile(script, 'utf8'))?.[1] ?? ''
  const names = [...listed.matchAll(/'([^']+)'/g)].map(([, name]) => name)
  const sources = (await readdir(join(root, 'web'), { recursive: true, withFileTypes: true })).filter(
    (entry) =>
      entry.isFile() &&
      /\.(ts|tsx|css)$/.test(entry.name) &&
      !/\b(dist|node_modules)\b/.test(entry.parentPath),
  )
  const imported = new Set<string>()
  for (const { parentPath, name } of sources) {
    const source = await readFile(join(parentPath, name), 'utf8')
    for (const [, from = ''] of source.matchAll(/(?:from|import) '((?:@[\w-]+\/)?[\w.-]+)/g)) {
      if (from in devDependencies) imported.add(from)
    }
  }
  expect(names).toEqual([...imported].toSorted())
})
