import { execFile } from 'node:child_process'
import { cp, readFile, writeFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { ownExports } from '../../../shared/core/programs/own-package.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const root = join(import.meta.dirname, '../../..')

test('a module finds what the package exports, and nothing else', async () => {
  const { exports } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const named = Object.keys(exports).filter((name) => name !== './package.json')
  expect(Object.keys(ownExports).toSorted()).toEqual(
    named.map((name) => name.replace('.', 'espalier')).toSorted(),
  )
  for (const [name, file] of Object.entries(ownExports)) {
    expect(exports[name.replace('espalier', '.')].default).toBe(`./dist/shared/${file}.js`)
  }
})

test.each(['guess-number.ts', 'guess-number.mts', 'guess-number.mjs', 'guess-number.js'])(
  'a copy of the examples is played from a folder of its own: %s',
  async (name) => {
    const folder = await temporaryFolder()
    const text = await readFile(join(root, 'examples/guess-number.ts'), 'utf8')
    await writeFile(join(folder, name), /\.m?js$/.test(name) ? stripTypeScriptTypes(text) : text)
    for (const example of ['greedy.ts', 'no-repeats.ts'])
      await cp(join(root, 'examples', example), join(folder, example))
    // A run that fails throws.
    const espalier = (...words: string[]) =>
      promisify(execFile)(process.execPath, [join(root, 'cli/espalier.ts'), ...words], { cwd: folder })
    const words = ['--model', 'simulated', '--limit', '1', '--json']
    const ran = await espalier(
      'run',
      '--environment',
      join(folder, name),
      '--method',
      './greedy.ts',
      ...words,
    )
    const [run = ''] = ran.stdout.trim().split('\n').slice(-2)
    expect(JSON.parse(run)).toMatchObject({ status: 'succeeded', episodes: { errored: 0, total: 1 } })
    const scored = await espalier('score', 'latest', '--name', 'new', '--scorer', './no-repeats.ts')
    expect(scored.stdout + scored.stderr).toContain('score new of run-')
    const shown = await espalier('environments', `./${name}`, '--json')
    expect(JSON.parse(shown.stdout)).toMatchObject({ id: 'guess-number', splits: { train: 15, test: 5 } })
  },
  240_000,
)
