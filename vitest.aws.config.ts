import { defineConfig } from 'vitest/config'

/** Tests of the AWS world, over emulators that are installed when first needed, or over an account with `AWS_E2E=1`. */
export default defineConfig({
  test: {
    include: ['test/aws/**/*.test.ts'],
    globalSetup: 'test/aws/emulators/global-setup.ts',
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
})
