import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { basesIn, imageBases } from '../../infra/images/image-bases.ts'

const root = resolve(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const text = read('containers/service/Dockerfile')
const ignore = read('containers/service/Dockerfile.dockerignore')
const [, copies = ''] = /\n(FROM [^\n]+\nENV[\s\S]+)$/.exec(text) ?? []
const pathsOf = (stage: string) =>
  [...stage.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, paths = '']) => paths.split(' '))

/** An entry and all of the project's files that it imports, one after the other. */
function filesOf(entry: string, known = new Set<string>()): Set<string> {
  if (known.has(entry)) return known
  known.add(entry)
  if (!entry.endsWith('.ts')) return known
  const source = read(entry)
  for (const [, name = ''] of source.matchAll(/(?:from|import|new URL)\s*\(?\s*'([^']+)'/g)) {
    const isOurs = name.startsWith('.') || source.includes(`new URL('${name}', import.meta.url)`)
    if (isOurs) filesOf(relative(root, resolve(root, dirname(entry), name)), known)
  }
  return known
}

test('its command is espalier, and its last stage has every file that this imports', () => {
  expect(text).toContain('\nENTRYPOINT ["espalier"]\n')
  expect(text).toContain('ln -s /app/containers/service/espalier /usr/local/bin/espalier')
  const [, entry = ''] = /^exec node \/app\/(\S+) "\$@"$/m.exec(read('containers/service/espalier')) ?? []
  expect(entry).toBe('cli/espalier.ts')
  const copied = pathsOf(copies)
  const has = (file: string) => copied.some((path) => file === path || file.startsWith(`${path}/`))
  const files = [...filesOf(entry)]
  expect(files.length).toBeGreaterThan(500)
  expect(files.filter((file) => existsSync(join(root, file)) && !has(file))).toEqual([])
})

test('it is built from no more than it takes, with the packages of the lock, and runs without rights', () => {
  const allowed = [...ignore.matchAll(/^!(.+)$/gm)].map(([, path = '']) => path)
  expect(ignore.startsWith('*\n')).toBe(true)
  expect(allowed.toSorted()).toEqual([...new Set(pathsOf(text))].toSorted())
  expect(allowed.filter((path) => !existsSync(join(root, path)))).toEqual([])
  const packages = text.match(/^.*\bnpm (?!sbom ).*$/gm) ?? []
  expect(packages).toHaveLength(2)
  for (const install of packages) expect(install).toMatch(/^RUN npm ci .*--ignore-scripts$/)
  expect(basesIn(text).filter((base) => !Object.hasOwn(imageBases, base))).toEqual([])
  expect(/^USER (\w+)$/m.exec(text)?.[1]).toBe('node')
})
