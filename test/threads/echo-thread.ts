import { serveCalls } from '../../shared/threads/serve-calls.ts'

/** What a test has a thread do. */
export type EchoRequest =
  | { echo: string; after?: number }
  | { spin: true }
  | { throws: string; code?: string }
  | { exit: number }
  | { grow: true }
  | { unclonable: true }

let served = 0

serveCalls(async (request: EchoRequest) => {
  served += 1
  if ('spin' in request) for (;;);
  if ('exit' in request) process.exit(request.exit)
  if ('throws' in request) throw Object.assign(new TypeError(request.throws), { code: request.code })
  if ('unclonable' in request) return () => undefined
  if ('grow' in request) {
    const kept: number[][] = []
    for (;;) kept.push(Array.from({ length: 100_000 }, () => Math.random()))
  }
  if (request.after !== undefined) await new Promise((resolve) => setTimeout(resolve, request.after))
  return `${request.echo} ${served}`
})
