import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { testSettings } from './scripts/test-settings.ts'

/** One more than cores: a test that waits leaves its core to another. */
const maxWorkers = availableParallelism() + 1
const isolated = 'test/**/*.isolated.test.ts'
const elsewhere = [
  'test/**/*.slow.test.ts',
  'test/**/*.chromium.test.ts',
  'test/service/**',
  'test/aws/**',
  'test/infra/bundles.test.ts',
  'test/package/**',
  'test/openenv/**',
  'test/interop/**',
  'test/scienceworld/**',
  'test/mediawiki/**',
  'test/desktop/**',
  'test/alfworld-real/**',
  'test/trainers/**',
  'test/loop/**',
  'test/browser/**',
  'test/browser-runs/**',
  'test/python-client/**',
  'test/docs/**',
]

/**
 * Tests by the name of their file: `*.test.ts` share the modules and globals of a worker, and leave them as they were;
 * `*.isolated.test.ts` have a process of their own; `*.slow.test.ts` run by `npm run test:slow`, `*.chromium.test.ts` by
 * `npm run test:browser`, other folders by scripts of their own.
 */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [isolated, ...elsewhere],
          ...testSettings,
          isolate: false,
          maxWorkers,
          setupFiles: 'test/support/unchanged-process.ts',
          testTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'isolated',
          include: [isolated],
          ...testSettings,
          maxWorkers,
          sequence: { groupOrder: 1 },
          testTimeout: 120_000,
        },
      },
    ],
  },
})
