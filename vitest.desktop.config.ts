import { defineConfig } from 'vitest/config'
import { testSettings } from './scripts/test-settings.ts'

/** Tests of desktops, and of how their tasks are set up and scored; they need Debian's packages for desktops and python3 with venv. */
export default defineConfig({
  test: {
    include: ['test/desktop/**/*.test.ts'],
    ...testSettings,
    testTimeout: 400_000,
    hookTimeout: 600_000,
    fileParallelism: false,
  },
})
