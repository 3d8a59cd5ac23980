/**
 * Size of a worker's task: CPU units (1024 are one processor), MiB of memory, and concurrent episodes.
 * `npm run bench -- worker-memory` measures the memory of as many episodes.
 */
export const workerSize = { cpu: 1024, memory: 2048, places: 500 }
