import { defineConfig } from 'vitest/config'
import { testSettings } from './scripts/test-settings.ts'

/** Tests with OpenEnv's own Python client and its validator; they need python3 and install the client from PyPI. */
export default defineConfig({
  test: {
    include: ['test/openenv/**/*.test.ts'],
    ...testSettings,
    testTimeout: 120_000,
    hookTimeout: 600_000,
  },
})
