import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { images as hostImages } from '../../shared/environments/images.ts'

const root = resolve(import.meta.dirname, '../..')
/** Of hosts and sites; that of workers is built from a bundle, in a folder of its own. */
const built = [...hostImages, { id: 'sites', folder: 'containers/sites' }].filter(({ folder }) =>
  existsSync(join(root, folder, 'Dockerfile')),
)

/** An entry and all of the project's files that it imports, one after the other. */
function filesOf(entry: string, known = new Set<string>()): Set<string> {
  if (known.has(entry)) return known
  known.add(entry)
  if (!entry.endsWith('.ts')) return known
  const text = readFileSync(join(root, entry), 'utf8')
  for (const [, name = ''] of text.matchAll(/(?:from|import|new URL)\s*\(?\s*'([^']+)'/g)) {
    const isOurs = name.startsWith('.') || text.includes(`new URL('${name}', import.meta.url)`)
    if (isOurs) filesOf(relative(root, resolve(root, dirname(entry), name)), known)
  }
  return known
}

describe.each(built)('the image $id', ({ id: image, folder }) => {
  const text = readFileSync(join(root, folder, 'Dockerfile'), 'utf8')
  const ignore = readFileSync(join(root, folder, 'Dockerfile.dockerignore'), 'utf8')
  const allowed = [...ignore.matchAll(/^!(.+)$/gm)].map(([, path = '']) => path)
  const copied = [...text.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, paths = '']) =>
    paths.split(' '),
  )
  const [, command = '[]'] = /^CMD (\[.+\])$/m.exec(text) ?? []
  const [, entry = ''] = JSON.parse(command) as string[]

  test('starts the entry that is named as it is', () => {
    expect(entry).toBe(`${folder}/${image}.ts`)
  })

  test('has every file that its entry imports', () => {
    const missing = [...filesOf(entry)].filter((file) => !copied.some((path) => file.startsWith(`${path}/`)))
    expect(missing).toEqual([])
  })

  test('is built from no more than it takes', () => {
    expect(ignore.startsWith('*\n')).toBe(true)
    const within = (path: string) => (known: string) => path === known || path.startsWith(`${known}/`)
    expect(copied.filter((path) => !allowed.some(within(path)))).toEqual([])
    expect(allowed.filter((path) => !copied.includes(path))).toEqual([])
    expect(copied.filter((path) => !existsSync(join(root, path)))).toEqual([])
  })

  test('is made of pinned images and packages, and runs without rights', () => {
    const bases = [...text.matchAll(/^FROM (\S+)/gm)].map(([, base = '']) => base)
    expect(bases.filter((base) => !/:\d/.test(base))).toEqual([])
    // Tasks of desktops name the home of `user`.
    expect(/^USER (\w+)$/m.exec(text)?.[1]).toBe(image === 'desktop' ? 'user' : 'node')
    const list = join(root, folder, 'requirements.txt')
    const packages = existsSync(list) ? readFileSync(list, 'utf8').trim().split('\n') : []
    expect(packages.filter((line) => !/^[\w.-]+(\[\w+\])?==[\w.]+$/.test(line))).toEqual([])
  })
})
