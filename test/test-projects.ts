import { availableParallelism } from 'node:os'
import { testSettings } from '../scripts/test-settings.ts'

/** Test files with one environment: `npm test -- --project NAME` runs them. */
export interface TestProject {
  name: string
  /** Its folder below `test`. Default: its name, unless it has another `pattern`. */
  folder?: string
  /** Its files by their pattern, in place of a folder or beside one. */
  pattern?: string
  /** The longest test and the longest hook, in seconds. Without the second: vitest's 10 s. */
  limits: readonly [test: number, hook?: number]
  /** Concurrent files. Default: vitest's own number. */
  workers?: number
  /** Files of a worker share modules and globals, and leave them unchanged. */
  shared?: true
  /** Builds the dashboard first. */
  pages?: true
  /** The file of its folder that prepares all tests, once. */
  prepare?: string
  env?: Record<string, string>
  /** Leaves out the aliases and the compile cache of {@link testSettings}: the project tests without them. */
  bare?: true
  /** Its folder declares the environments. */
  own?: true
}

/** One more than cores: a test that waits leaves its core to another. */
const most = availableParallelism() + 1
/** ScienceWorld starts a Java machine a session, which lives for seconds: optimizing its code does not pay. */
const java = { ESPALIER_JAVA_OPTIONS: '-XX:TieredStopAtLevel=1' }
/** Tiny models are slower on several threads, beside other work above all. */
const torch = { OMP_NUM_THREADS: '1' }

/** The first two run by default. `unit` has every file that no other project has. */
export const testProjects: readonly TestProject[] = [
  { name: 'unit', pattern: 'test/**/*.test.ts', limits: [120, 120], workers: most, shared: true },
  { name: 'isolated', pattern: 'test/**/*.isolated.test.ts', limits: [120, 120], workers: most },
  { name: 'slow', pattern: 'test/**/*.slow.test.ts', limits: [240, 120], workers: 2, shared: true },
  { name: 'service', limits: [600, 120], workers: 2 },
  { name: 'aws', limits: [300, 120], workers: 2, own: true },
  { name: 'cluster', limits: [900, 900], workers: 1 },
  { name: 'bundles', pattern: 'test/infra/bundles.test.ts', limits: [120, 300], workers: 1, bare: true },
  { name: 'openenv', limits: [120, 600] },
  { name: 'interop', limits: [120, 600], workers: 1 },
  { name: 'trainers', limits: [300, 600], workers: 1, prepare: 'set-up.ts' },
  { name: 'loop', limits: [1500, 1200], workers: 1, pages: true, env: torch },
  { name: 'scienceworld', limits: [400, 600], workers: 1, env: java },
  { name: 'mediawiki', limits: [400, 900], workers: 1 },
  { name: 'alfworld-real', limits: [600, 600], workers: 1 },
  {
    ...{ name: 'browser', folder: 'browser-runs', pattern: 'test/**/*.chromium.test.ts' },
    ...{ limits: [1500, 120], workers: 1, pages: true },
  },
  { name: 'desktop', limits: [900, 600], workers: 2, prepare: 'prepare-desktop.ts' },
  { name: 'python', folder: 'python-client', limits: [300, 600], workers: 1, pages: true },
  { name: 'web', folder: 'browser', limits: [900, 180], workers: 2, pages: true, prepare: 'play-once.ts' },
  { name: 'package', limits: [300, 1200], workers: 1, pages: true, bare: true },
  { name: 'docs', limits: [300, 180], workers: 1 },
]

/** The vitest configuration of a project. Projects that run together take turns in the order of the table. */
export function testProjectConfig(project: TestProject) {
  const { name, limits, workers, shared, pages, prepare, env, bare } = project
  const [test, hook] = limits
  const globalSetup = [
    ...(pages ? ['test/support/build-dashboard.ts'] : []),
    ...(prepare ? [`${folderOf(project)}/${prepare}`] : []),
  ]
  return {
    ...(!bare && testSettings),
    ...(env && { env: { ...testSettings.env, ...env } }),
    name,
    include: filesOf(project),
    ...(name === 'unit' && { exclude: testProjects.filter((other) => other !== project).flatMap(filesOf) }),
    testTimeout: test * 1000,
    ...(hook !== undefined && { hookTimeout: hook * 1000 }),
    ...(workers !== undefined && { maxWorkers: workers }),
    ...(shared && { isolate: false }),
    ...(!bare && {
      setupFiles: ['test/support/property-seed.ts', ...(shared ? ['test/support/unchanged-process.ts'] : [])],
    }),
    ...(globalSetup.length > 0 && { globalSetup }),
    sequence: { groupOrder: testProjects.indexOf(project) },
  }
}

/** The projects as vitest takes them: a configuration, or the file that has it. */
export function vitestProjects() {
  return testProjects.map((project) =>
    project.own ? `${folderOf(project)}/vitest.config.ts` : { test: testProjectConfig(project) },
  )
}

function folderOf({ name, folder = name }: TestProject): string {
  return `test/${folder}`
}

function filesOf(project: TestProject): string[] {
  const { folder, pattern } = project
  const isFolder = folder !== undefined || pattern === undefined
  return [...(isFolder ? [`${folderOf(project)}/**/*.test.ts`] : []), ...(pattern ? [pattern] : [])]
}
