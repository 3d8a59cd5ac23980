import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
/** A text that sends its reader to an address of the API. */
const address = /\b(?:GET|POST|PUT|PATCH|DELETE) \/v1\/[^\n]*/g

/** Texts for the readers of the API's own document, and requests themselves. */
const isForCallers = (line: string) => /\.describe\(|^\s*(?:\/\/|\*|\/\*\*)/.test(line)
const folders = [
  'cli',
  'web',
  ...[
    'core/auth',
    'core/engine',
    'data/datasets',
    'data/trajectories',
    'environments',
    'insight/judgements',
    'insight/reports',
    'learn',
    'play/methods',
    'play/models',
  ].map((wing) => `shared/${wing}`),
]

test('errors, the command and the dashboard send nobody to an address of the API', () => {
  const found = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.tsx?$/.test(path) && !path.includes('node_modules'))
      .flatMap((path) =>
        readFileSync(join(root, folder, path), 'utf8')
          .split('\n')
          .flatMap((line) => (isForCallers(line) ? [] : (line.match(address) ?? [])))
          .map((text) => `${folder}/${path}: ${text.slice(0, 100)}`),
      ),
  )
  expect(found).toEqual([])
})
