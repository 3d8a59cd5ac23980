import { defineConfig } from 'vitest/config'
import { testSettings } from './scripts/test-settings.ts'

/** Tests with other people's clients and servers; they need python3 and install those of Python from PyPI. */
export default defineConfig({
  test: {
    include: ['test/interop/**/*.test.ts'],
    ...testSettings,
    testTimeout: 120_000,
    hookTimeout: 600_000,
    // Each starts servers of its own, which take their time from each other.
    fileParallelism: false,
  },
})
