import { defineConfig } from 'vitest/config'
import { testSettings } from './scripts/test-settings.ts'

/** Tests of ScienceWorld's host with the real simulator, from PyPI; they need python3 and java 17. */
export default defineConfig({
  test: {
    include: ['test/scienceworld/**/*.test.ts'],
    // Each session is a Java machine of its own that lives for seconds: what C2 compiles is hardly run.
    ...testSettings,
    env: { ...testSettings.env, ESPALIER_JAVA_OPTIONS: '-XX:TieredStopAtLevel=1' },
    testTimeout: 400_000,
    hookTimeout: 600_000,
    fileParallelism: false,
  },
})
