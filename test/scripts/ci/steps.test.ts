import { globSync, readFileSync } from 'node:fs'
import { join, matchesGlob } from 'node:path'
import { expect, test } from 'vitest'
import { ciSteps } from '../../../scripts/ci/steps.ts'

const root = join(import.meta.dirname, '../../..')
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>
}
const steps = ciSteps('reports')
const scriptOf = (command: readonly string[]) => command[3] ?? ''

interface Suite {
  include?: string[]
  exclude?: string[]
  projects?: { test: Suite }[]
}

/** The patterns of a script's vitest configuration, one entry for each project. */
async function suitesOf(script: string): Promise<Suite[]> {
  const file = /--config (\S+)/.exec(scripts[script] ?? '')?.[1] ?? 'vitest.config.ts'
  const { default: configuration } = (await import(join(root, file))) as { default: { test: Suite } }
  return configuration.test.projects?.map((project) => project.test) ?? [configuration.test]
}

/** Suites that are started by hand, for what they install. */
const outside = ['test:mediawiki']

test('every suite and every check of package.json is a step, once', () => {
  const suites = Object.keys(scripts).filter((name) => /^test(:|$)/.test(name) && !outside.includes(name))
  const checks = [
    'typecheck',
    'lint',
    'build:web',
    'quickstart',
    'synth',
    'lint:template',
    'chaos',
    'audit',
    'first-minutes',
    'house',
  ]
  expect(steps.map(({ command }) => scriptOf(command)).toSorted()).toEqual([...suites, ...checks].toSorted())
  expect(new Set(steps.map(({ name }) => name)).size).toBe(steps.length)
})

test('every file of tests runs in exactly one step', async () => {
  const ofSteps = steps.map(({ command }) => scriptOf(command)).filter((name) => /^test(:|$)/.test(name))
  const scriptsOfSuites = [...ofSteps, ...outside]
  const suites = await Promise.all(scriptsOfSuites.map(suitesOf))
  const isIn = (file: string, { include = [], exclude = [] }: Suite) =>
    include.some((pattern) => matchesGlob(file, pattern)) &&
    !exclude.some((pattern) => matchesGlob(file, pattern))
  const files = globSync('test/**/*.test.{ts,tsx}', { cwd: root })
  expect(files.length).toBeGreaterThan(400)
  for (const file of files)
    expect([file, suites.filter((projects) => projects.some((suite) => isIn(file, suite))).length]).toEqual([
      file,
      1,
    ])
})
