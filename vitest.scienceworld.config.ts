import { defineConfig } from 'vitest/config'

/** Tests of ScienceWorld's host with the real simulator, from PyPI; they need python3 and java 17. */
export default defineConfig({
  test: {
    include: ['test/scienceworld/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 600_000,
    fileParallelism: false,
  },
})
