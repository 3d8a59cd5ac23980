import { join } from 'node:path'
import type { Step } from './run-steps.ts'

export const unitTests = 'unit tests'

/** For a step of as many processes as cores that partly wait for each other: a waiting step runs beside it. */
const mostCores = 1.5

/** For a step that waits for a third of its time: two such steps and a waiting one fill two cores. */
const partly = 0.75

/**
 * For a step that waits half of its time for timers or single-core processes: two such steps run beside a computing
 * one. Steps of several workers (AWS, the service, the browser) fill a core by themselves. So do Java machines killed
 * at the end, whose processor time no report has.
 */
const waiting = 0.5

/**
 * Every check, with its busy cores and maximum memory in megabytes, ordered by cores, then duration, then processor
 * time. `folder` receives the tests' reports and the steps' files.
 */
export function ciSteps(folder: string): Step[] {
  const script = (name: string, ...more: string[]) => [
    'npm',
    'run',
    '--silent',
    name,
    ...(more.length > 0 ? ['--', ...more] : []),
  ]
  const tests = (...projects: string[]) =>
    script(
      'test',
      ...projects.flatMap((name) => ['--project', name]),
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${join(folder, `${projects[0]}.json`)}`,
    )
  const served = { after: ['dashboard'] }
  return [
    { name: unitTests, command: tests('unit', 'isolated'), cores: mostCores, memory: 4000 },
    { name: 'slow tests', command: tests('slow'), cores: mostCores, memory: 4000 },
    { name: 'dashboard', command: script('build:web'), cores: waiting, memory: 1000 },
    { name: 'desktops', command: tests('desktop'), cores: waiting, memory: 4000, ...served },
    { name: 'types', command: script('typecheck'), cores: 1, memory: 2000 },
    {
      name: 'loops, killed in every stage',
      command: tests('loop'),
      cores: partly,
      memory: 4000,
      ...served,
    },
    { name: 'ALFWorld, the real program', command: tests('alfworld-real'), cores: 1, memory: 2000 },
    { name: 'the AWS world over emulators', command: tests('aws'), cores: 1, memory: 3000 },
    { name: 'the PostgreSQL world', command: tests('cluster'), cores: partly, memory: 2000 },
    { name: 'trainers read our datasets', command: tests('trainers'), cores: waiting, memory: 4000 },
    { name: 'the real service', command: tests('service'), cores: 1, memory: 3000, ...served },
    {
      name: 'the dashboard in a browser',
      command: tests('web'),
      cores: 1,
      memory: 2500,
      ...served,
    },
    {
      name: 'pages of environments in a browser',
      command: tests('browser'),
      cores: 1,
      memory: 3000,
      ...served,
    },
    { name: 'every command of the docs', command: tests('docs'), cores: partly, memory: 2000, ...served },
    {
      name: 'ScienceWorld, the simulator',
      command: tests('scienceworld'),
      cores: waiting,
      memory: 3000,
    },
    { name: 'other clients and servers', command: tests('interop'), cores: waiting, memory: 3000 },
    {
      name: 'chaos',
      command: script('chaos', '--minutes', '0.5', '--seed', '1', '--plans', '5'),
      cores: waiting,
      memory: 2000,
    },
    { name: 'the Python package', command: tests('python'), cores: 1, memory: 2000, ...served },
    { name: 'the package, installed', command: tests('package'), cores: 1, memory: 2000, ...served },
    { name: 'bundles', command: tests('bundles'), cores: 1, memory: 2000 },
    { name: 'OpenEnv, by its own client', command: tests('openenv'), cores: waiting, memory: 1500 },
    { name: 'synth', command: script('synth'), cores: 1, memory: 1500, ...served },
    { name: 'template, by cfn-lint', command: script('lint:template'), cores: 1, memory: 1500 },
    {
      name: 'quickstart',
      command: script('quickstart', '--folder', join(folder, 'quickstart')),
      cores: 1,
      memory: 1500,
      ...served,
    },
    {
      name: 'the first twenty minutes',
      command: script('first-minutes'),
      cores: partly,
      memory: 2500,
    },
    { name: 'house', command: script('house'), cores: 1, memory: 1000 },
    { name: 'lint', command: script('lint'), cores: 1, memory: 500 },
    { name: 'audits', command: script('audit'), cores: waiting, memory: 500 },
  ]
}
