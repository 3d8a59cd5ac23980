import { defineConfig } from 'vitest/config'
import { testSettings } from './scripts/test-settings.ts'

/** Tasks on a real MediaWiki, Debian's, in Chromium; as root its packages are installed, else they have to be there. */
export default defineConfig({
  test: {
    include: ['test/mediawiki/**/*.test.ts'],
    ...testSettings,
    testTimeout: 400_000,
    hookTimeout: 900_000,
    fileParallelism: false,
  },
})
