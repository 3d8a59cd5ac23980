import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [
      'test/service/**',
      'test/aws/**',
      'test/infra/bundles.test.ts',
      'test/openenv/**',
      'test/interop/**',
      'test/scienceworld/**',
      'test/alfworld-real/**',
      'test/trainers/**',
      'test/browser/**',
      'test/docs/**',
    ],
    testTimeout: 60_000,
  },
})
