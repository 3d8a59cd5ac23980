import { defineConfig } from 'vitest/config'

/** The dashboard as people use it: the real service as a process of its own, and its pages in Chromium. */
export default defineConfig({
  test: {
    include: ['test/browser/**/*.test.ts'],
    globalSetup: 'test/browser/play-once.ts',
    testTimeout: 90_000,
    hookTimeout: 90_000,
    fileParallelism: false,
  },
})
