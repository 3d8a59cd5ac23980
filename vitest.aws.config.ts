import { defineConfig } from 'vitest/config'
import { testSettings } from './scripts/test-settings.ts'

/** Tests of the AWS world, over emulators that are installed when first needed, or over an account with `AWS_E2E=1`. */
export default defineConfig({
  test: {
    include: ['test/aws/**/*.test.ts'],
    ...testSettings,
    globalSetup: 'test/aws/emulators/global-setup.ts',
    testTimeout: 120_000,
    hookTimeout: 60_000,
    // They wait for the emulators, and for what becomes visible again, for most of their time.
    maxWorkers: 2,
  },
})
