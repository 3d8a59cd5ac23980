import { defineConfig } from 'vitest/config'
import { testSettings } from './scripts/test-settings.ts'

/** The Python package against the real service, and environments in Python; they need python3 and install packages from PyPI. */
export default defineConfig({
  test: {
    include: ['test/python-client/**/*.test.ts'],
    ...testSettings,
    testTimeout: 300_000,
    hookTimeout: 600_000,
    fileParallelism: false,
  },
})
