import { defineConfig } from 'vitest/config'
import { compileCache } from './scripts/compile-cache.ts'

/** Tests that start the real service as processes of its own and kill it; minutes, not seconds. */
export default defineConfig({
  test: {
    include: ['test/service/**/*.test.ts'],
    env: compileCache,
    testTimeout: 600_000,
    // They wait for each other's processes for half of their time.
    maxWorkers: 2,
  },
})
