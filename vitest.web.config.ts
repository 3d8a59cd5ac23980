import { defineConfig } from 'vitest/config'
import { testSettings } from './scripts/test-settings.ts'

/** The dashboard as people use it: the real service as a process of its own, and its pages in Chromium. */
export default defineConfig({
  test: {
    include: ['test/browser/**/*.test.ts'],
    ...testSettings,
    globalSetup: 'test/browser/play-once.ts',
    testTimeout: 900_000,
    hookTimeout: 180_000,
    maxWorkers: 2,
  },
})
