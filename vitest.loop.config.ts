import { defineConfig } from 'vitest/config'
import { testSettings } from './scripts/test-settings.ts'

/** Loops in small with everything real: TRL, llama.cpp's server, the service. They need python3 and install both from PyPI. */
export default defineConfig({
  test: {
    include: ['test/loop/**/*.test.ts'],
    ...testSettings,
    // Models of this size are slower with several threads, beside other work above all.
    env: { ...testSettings.env, OMP_NUM_THREADS: '1' },
    testTimeout: 1_500_000,
    hookTimeout: 1_200_000,
    fileParallelism: false,
  },
})
