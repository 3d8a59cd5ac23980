import { defineConfig } from 'vitest/config'
import { testSettings } from './scripts/test-settings.ts'

/** Compares our ALFWorld with the original program on TextWorld, from PyPI; they need python3. */
export default defineConfig({
  test: {
    include: ['test/alfworld-real/**/*.test.ts'],
    ...testSettings,
    testTimeout: 600_000,
    hookTimeout: 600_000,
    fileParallelism: false,
  },
})
