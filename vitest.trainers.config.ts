import { defineConfig } from 'vitest/config'
import { compileCache } from './scripts/compile-cache.ts'

/** Tests that trainers' own code reads our datasets as we mean them; they need python3 and install the trainers from PyPI. */
export default defineConfig({
  test: {
    include: ['test/trainers/**/*.test.ts'],
    globalSetup: ['test/trainers/set-up.ts'],
    env: compileCache,
    testTimeout: 300_000,
    hookTimeout: 600_000,
    fileParallelism: false,
  },
})
