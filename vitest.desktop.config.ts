import { defineConfig } from 'vitest/config'
import { testSettings } from './scripts/test-settings.ts'

/**
 * Tests of desktops and of how their tasks are set up, played and scored. They need Debian's packages for desktops, which are installed where
 * this is root, and python3 with venv.
 */
export default defineConfig({
  test: {
    include: ['test/desktop/**/*.test.ts'],
    globalSetup: ['test/desktop/prepare-desktop.ts'],
    ...testSettings,
    testTimeout: 900_000,
    hookTimeout: 600_000,
    // They wait for programs most of the time. Two at most, since a search has up to eight desktops for each processor.
    maxWorkers: 2,
  },
})
