import { defineConfig } from 'vitest/config'

/** Tests that start the real service as processes of its own and kill it; minutes, not seconds. */
export default defineConfig({
  test: { include: ['test/service/**/*.test.ts'], testTimeout: 600_000, fileParallelism: false },
})
