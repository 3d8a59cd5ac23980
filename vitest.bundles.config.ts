import { defineConfig } from 'vitest/config'

/** Bundles of every function, as they are deployed, run in folders of their own; half a minute. */
export default defineConfig({
  test: {
    include: ['test/infra/bundles.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 300_000,
    fileParallelism: false,
  },
})
