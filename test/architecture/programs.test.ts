import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { readSources } from '../../scripts/house/read-sources.ts'

const root = resolve(import.meta.dirname, '../..')
const packing = 'scripts/package/tsconfig.json'

/** Code starts a program of its own folder by its name, with the extension of the file that starts it. */
const started = /`([\w./-]+)\$\{ext[^}]*\}`/g

const programs = readSources(root, ['cli', 'containers', 'functions', 'local', 'shared'])
  .flatMap(({ file, text }) =>
    [...text.matchAll(started)].map(([, name]) => join(dirname(file), `${name}.ts`)),
  )
  .filter((path) => existsSync(join(root, path)))

test.each([...new Set(programs)])('%s, which is started by its name, is in the package', (program) => {
  const { files } = JSON.parse(readFileSync(join(root, packing), 'utf8')) as { files: string[] }
  expect(files.map((file) => relative(root, join(root, dirname(packing), file)))).toContain(program)
})
