import { defineConfig } from 'vitest/config'
import { testSettings } from './scripts/test-settings.ts'

/** Tests that start Chromium for environments: runs of MiniWoB++, whose pages are from PyPI, and of the sites, and what the browser's host is made of. */
export default defineConfig({
  test: {
    include: ['test/browser-runs/**/*.test.ts', 'test/**/*.chromium.test.ts'],
    ...testSettings,
    testTimeout: 1_500_000,
    hookTimeout: 120_000,
    fileParallelism: false,
  },
})
