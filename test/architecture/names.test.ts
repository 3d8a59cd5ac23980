import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const shared = resolve(import.meta.dirname, '../../shared')

const sources = readdirSync(shared, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => ({ file, text: readFileSync(join(shared, file), 'utf8') }))

const exported =
  /^export (?:default )?(?:abstract )?(?:async )?(?:class|function\*?|const|let|interface|type|enum) (\w+)/gm

test('an exported name has one definition in shared/', () => {
  const places = new Map<string, Set<string>>()
  for (const { file, text } of sources) {
    for (const [, name = ''] of text.matchAll(exported)) {
      places.set(name, (places.get(name) ?? new Set()).add(file))
    }
  }
  const several = [...places].filter(([, files]) => files.size > 1)
  expect(several.map(([name, files]) => `${name}: ${[...files].join(', ')}`)).toEqual([])
})

test('the names of classes of errors end in Error', () => {
  const parents = new Map<string, string>()
  for (const { text } of sources) {
    for (const [, name = '', parent = ''] of text.matchAll(
      /^(?:export )?(?:default )?(?:abstract )?class (\w+)(?:<[^{]*?>)? extends (\w+)/gm,
    )) {
      parents.set(name, parent)
    }
  }
  const isError = (name: string | undefined): boolean =>
    name !== undefined && (/^(\w+)?Error$|^(DOM)?Exception$/.test(name) || isError(parents.get(name)))
  const wrong = [...parents].filter(([name, parent]) => isError(parent) && !name.endsWith('Error'))
  expect(wrong.map(([name, parent]) => `${name} extends ${parent}`)).toEqual([])
})
