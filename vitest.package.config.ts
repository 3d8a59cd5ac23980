import { defineConfig } from 'vitest/config'

/** The package that `npm pack` makes, installed into an empty folder by npm, which needs its registry or its cache. */
export default defineConfig({
  test: {
    include: ['test/package/**/*.test.ts'],
    testTimeout: 180_000,
    hookTimeout: 600_000,
    fileParallelism: false,
  },
})
