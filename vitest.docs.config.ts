import { defineConfig } from 'vitest/config'
import { testSettings } from './scripts/test-settings.ts'

/** Every command of the guide, the README and CONTRIBUTING.md, run for real; minutes, not seconds. */
export default defineConfig({
  test: {
    include: ['test/docs/**/*.test.ts'],
    ...testSettings,
    testTimeout: 300_000,
    hookTimeout: 180_000,
    // Commands are run where a reader would type them: the working folder changes.
    pool: 'forks',
    fileParallelism: false,
  },
})
