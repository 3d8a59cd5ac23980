import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { devStages } from '../../../cli/dev/dev-stages.ts'

const root = join(import.meta.dirname, '../../..')
const flags = { environment: 'textcraft', method: 'react', steps: 6 }

test.each([
  ['examples/guess-number.ts', 'environments'],
  ['examples/greedy.ts', 'methods'],
  ['clients/python/examples/beam.py', 'methods'],
  ['clients/python/examples/react.py', 'methods'],
])('%s is checked with the validator of %s', async (file, validator) => {
  const stages = devStages(file, await readFile(join(root, file), 'utf8'), flags, '/folder')
  expect(stages.map(({ name }) => name)).toEqual(['check', 'play', 'show'])
  expect(stages[0]?.words.slice(0, 3)).toEqual([validator, 'validate', file])
  const [chosen, other] =
    validator === 'methods' ? ['--method', '--environment'] : ['--environment', '--method']
  const { words = [] } = stages[1] ?? {}
  expect(words[words.indexOf(chosen) + 1]).toBe(file)
  expect(words[words.indexOf(other) + 1]).toBe(validator === 'methods' ? 'textcraft' : 'react')
})

test('a method is played in the file of an environment, and --kind beats the text', () => {
  const [check, play] = devStages('a.py', '', { ...flags, kind: 'method', environment: './env.py' }, '/f')
  expect(check?.words).not.toContain('--environment')
  expect(play?.words).toEqual(expect.arrayContaining(['--environment', './env.py', '--method', 'a.py']))
})
