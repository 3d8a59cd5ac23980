import { defineConfig } from 'vitest/config'
import { testSettings } from './scripts/test-settings.ts'

/** Tests that trainers' own code reads our datasets as we mean them; they need python3 and install the trainers from PyPI. */
export default defineConfig({
  test: {
    include: ['test/trainers/**/*.test.ts'],
    globalSetup: ['test/trainers/set-up.ts'],
    ...testSettings,
    testTimeout: 300_000,
    hookTimeout: 600_000,
    fileParallelism: false,
  },
})
