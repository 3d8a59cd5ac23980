import { globSync, readFileSync } from 'node:fs'
import { join, matchesGlob } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { ciSteps } from '../../../scripts/ci/steps.ts'
import { shellWords } from '../../support/shell-words.ts'
import { testProjectConfig, testProjects } from '../../test-projects.ts'

const root = join(import.meta.dirname, '../../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
const steps = ciSteps('reports')
const scriptOf = (command: readonly string[]) => command[3] ?? ''
const projectsOf = (command: readonly string[]) =>
  command.flatMap((word, index) => (command[index - 1] === '--project' ? [word] : []))

/** Projects that are started by hand, because of the packages that they install. */
const outside = ['mediawiki']

test('every project and every check of package.json is a step, once', () => {
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
  const commands = steps.map(({ command }) => command)
  const others = commands.map(scriptOf).filter((script) => script !== 'test')
  expect(others.toSorted()).toEqual(checks.toSorted())
  expect(others.filter((script) => scripts[script] === undefined)).toEqual([])
  const projects = testProjects.map(({ name }) => name)
  expect([...commands.flatMap(projectsOf), ...outside].toSorted()).toEqual(projects.toSorted())
  expect(new Set(steps.map(({ name }) => name)).size).toBe(steps.length)
})

test('every file of tests runs in exactly one project', () => {
  const configs = testProjects.map(testProjectConfig)
  const files = globSync('test/**/*.test.{ts,tsx}', { cwd: root })
  expect(files.length).toBeGreaterThan(400)
  const isIn = (file: string, patterns: readonly string[]) =>
    patterns.some((pattern) => matchesGlob(file, pattern))
  for (const file of files) {
    const homes = configs.filter(({ include, exclude = [] }) => isIn(file, include) && !isIn(file, exclude))
    expect([file, homes.length]).toEqual([file, 1])
  }
})

test('every project has its line in CONTRIBUTING.md', () => {
  const text = read('CONTRIBUTING.md')
  expect(testProjects.filter(({ name }) => !text.includes(`\n| \`${name}\` | `))).toEqual([])
})

describe('the workflow', () => {
  const { jobs } = parse(read('.github/workflows/ci.yml')) as {
    jobs: {
      check: { steps: { run?: string }[] }
      lanes: { needs: string; strategy: { matrix: { include: { steps: string }[] } } }
    }
  }
  const wordsOf = (text: string) => shellWords('run', [`run ${text}`]).flatMap(({ words }) => words)
  const first = wordsOf(scripts.check?.replace('.ci/run ', '') ?? '')
  const lanes = jobs.lanes.strategy.matrix.include.map((lane) => wordsOf(lane.steps))

  test('begins with the check of contributors, unit tests included', () => {
    expect(jobs.lanes.needs).toBe('check')
    expect(jobs.check.steps.map(({ run }) => run)).toContain('npm run check')
    expect(first).toContain('unit tests')
  })

  test('runs every step, and each after those that it needs', () => {
    const named = [first, ...lanes].flat()
    expect([...new Set(named)].toSorted()).toEqual(steps.map(({ name }) => name).toSorted())
    for (const lane of lanes) {
      const needed = steps.filter(({ name }) => lane.includes(name)).flatMap(({ after = [] }) => after)
      expect(needed.filter((name) => !lane.includes(name))).toEqual([])
    }
  })
})
