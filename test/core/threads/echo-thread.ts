import { parentPort } from 'node:worker_threads'
import { askPool, endWithParent, serveCalls } from '../../../shared/core/threads/serve-calls.ts'

/** What a test has a thread do. */
export type EchoRequest =
  | { echo: string; after?: number }
  | { spin: true }
  | { throws: string; code?: string }
  | { exit: number }
  | { grow: true | 'at once' | 'buffers' }
  | { unclonable: true }
  | { ask: string }
  | { pid: true }

let served = 0
if (parentPort === null) endWithParent()

serveCalls(async (request: EchoRequest) => {
  served += 1
  if ('spin' in request) for (;;);
  if ('ask' in request) return await askPool(request.ask)
  if ('pid' in request) return String(process.pid)
  if ('exit' in request) process.exit(request.exit)
  if ('throws' in request) throw Object.assign(new TypeError(request.throws), { code: request.code })
  if ('unclonable' in request) return () => undefined
  if ('grow' in request) {
    const kept: unknown[] = []
    if (request.grow === 'at once') kept.push(new Array(2 ** 27).fill(1.5))
    if (request.grow === 'buffers') for (;;) kept.push(new Uint8Array(2 ** 22).fill(1))
    for (;;) kept.push(Array.from({ length: 100_000 }, () => Math.random()))
  }
  if (request.after !== undefined) await new Promise((resolve) => setTimeout(resolve, request.after))
  return `${request.echo} ${served}`
})
