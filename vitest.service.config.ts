import { defineConfig } from 'vitest/config'
import { testSettings } from './scripts/test-settings.ts'

/** Tests that start the real service as processes of its own and kill it; minutes, not seconds. */
export default defineConfig({
  test: {
    include: ['test/service/**/*.test.ts'],
    ...testSettings,
    testTimeout: 600_000,
    // They wait for each other's processes for half of their time.
    maxWorkers: 2,
  },
})
