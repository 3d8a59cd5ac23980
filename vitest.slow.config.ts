import { defineConfig } from 'vitest/config'
import { testSettings } from './scripts/test-settings.ts'

/** Tests that take long: many real processes, long property runs, the whole CloudFormation template, files of 100 MB. */
export default defineConfig({
  test: {
    include: ['test/**/*.slow.test.ts'],
    ...testSettings,
    isolate: false,
    maxWorkers: 1,
    setupFiles: 'test/support/unchanged-process.ts',
    testTimeout: 120_000,
  },
})
