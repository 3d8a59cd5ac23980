import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'

const project = join(import.meta.dirname, '../..')
let root: string
let dist: string

/** A small project that is built as ours is. */
beforeEach(async () => {
  // Beside the packages, because a build is moved, and moves do not cross file systems.
  root = await mkdtemp(join(project, 'node_modules/.espalier-test-'))
  dist = join(root, 'web/dist')
  const shared = ['core', 'data', 'insight', 'play'].map((wing) => `shared/${wing}`)
  const others = ['shared/core/contracts', 'scripts', 'node_modules']
  for (const folder of ['web', 'docs', 'examples', ...shared, ...others])
    await mkdir(join(root, folder), { recursive: true })
  await cp(join(project, 'scripts/ensure-web.mjs'), join(root, 'scripts/ensure-web.mjs'))
  await symlink(join(project, 'node_modules/vite'), join(root, 'node_modules/vite'))
  await writeFile(join(root, 'package-lock.json'), '{}')
  await writeFile(
    join(root, 'web/index.html'),
    '<!doctype html><script type="module" src="/main.js"></script>',
  )
  await writeFile(join(root, 'web/main.js'), `document.title = ${JSON.stringify('long '.repeat(200))}`)
})
afterEach(() => rm(root, { recursive: true }))

function ensure(...words: string[]): Promise<{ code: number; notes: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [join(root, 'scripts/ensure-web.mjs'), ...words], (error, _, notes) =>
      resolve({ code: error === null ? 0 : Number(error.code), notes }),
    )
  })
}

const built = async () => (await stat(join(dist, 'index.html'))).mtimeMs

test('it is built once, and again when what it is made of changes', async () => {
  expect(await ensure()).toEqual({ code: 0, notes: expect.stringContaining('Building the dashboard') })
  const first = await built()
  expect(await ensure()).toEqual({ code: 0, notes: '' })
  expect(await built()).toBe(first)
  const changed = ['docs/new.md', 'examples/new.py', 'shared/core/contracts/new.ts', 'web/main.js']
  for (const file of [...changed, 'package-lock.json']) {
    const before = await built()
    await writeFile(join(root, file), `/* ${file} */`)
    expect((await ensure()).notes, file).toContain('Building')
    expect(await built(), file).toBeGreaterThan(before)
  }
  expect((await ensure('--always')).notes).toContain('Building')
})

test('what browsers read packed lies packed beside it', async () => {
  await ensure()
  const assets = join(dist, 'assets')
  const [script = ''] = (await readdir(assets)).filter((name) => name.endsWith('.js'))
  const text = await readFile(join(assets, script))
  expect(brotliDecompressSync(await readFile(join(assets, `${script}.br`)))).toEqual(text)
  expect(gunzipSync(await readFile(join(assets, `${script}.gz`)))).toEqual(text)
})

test('two at once leave one whole dashboard, and nothing beside it', async () => {
  const ends = await Promise.all([ensure(), ensure(), ensure('--always')])
  expect(ends.map(({ code }) => code)).toEqual([0, 0, 0])
  expect(await ensure()).toEqual({ code: 0, notes: '' })
  expect((await readdir(dist)).sort()).toEqual(expect.arrayContaining(['assets', 'index.html']))
  expect(await readdir(join(root, 'node_modules'))).toEqual(['vite'])
})

test('a dashboard that cannot be built is an error, and the earlier one stays', async () => {
  await ensure()
  const before = await built()
  await writeFile(join(root, 'web/main.js'), 'this is no JavaScript {')
  const failed = await ensure()
  expect(failed.code).toBeGreaterThan(0)
  expect(failed.notes).toContain('could not be built')
  expect(await built()).toBe(before)
  expect(await readdir(join(root, 'node_modules'))).toEqual(['vite'])
})

test('no page imports what the build does not look at', async () => {
  const script = await readFile(join(project, 'scripts/ensure-web.mjs'), 'utf8')
  const looked = /sharedParts = \[([^\]]*)\]/.exec(script)?.[1] ?? ''
  const files = await readdir(join(project, 'web'), { recursive: true, withFileTypes: true })
  const sources = files.filter(({ name, parentPath }) => /\.tsx?$/.test(name) && !parentPath.includes('dist'))
  const parts = new Set<string>()
  for (const { parentPath, name } of sources) {
    const text = await readFile(join(parentPath, name), 'utf8')
    for (const [, part = ''] of text.matchAll(/from '(?:\.\.\/)+shared\/([\w-]+)\//g)) parts.add(part)
  }
  expect(parts).toContain('core')
  for (const part of parts) expect(looked, part).toContain(`'${part}'`)
})
