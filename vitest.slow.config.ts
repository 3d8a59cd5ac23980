import { defineConfig } from 'vitest/config'

/** Tests that take long: many real processes, long property runs, the whole CloudFormation template, files of 100 MB. */
export default defineConfig({
  test: { include: ['test/**/*.slow.test.ts'], maxWorkers: 1, testTimeout: 120_000 },
})
