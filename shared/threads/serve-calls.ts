import { parentPort } from 'node:worker_threads'

/** What a thread sends to its pool. */
export type ThreadAnswer =
  | { type: 'ready' }
  | { type: 'result'; value: unknown }
  | { type: 'error'; name: string; message: string; code: string | null }

/**
 * Serves the calls of a `ThreadPool`, one after the other. The last statement of a thread's module, once all that a call
 * needs is loaded.
 *
 * @throws Error outside of a thread
 */
export function serveCalls(serve: (request: never) => unknown): void {
  const port = parentPort
  if (port === null) throw new Error('Calls are served on a thread alone.')
  const say = (answer: ThreadAnswer) => port.postMessage(answer)
  port.on('message', async (request) => {
    try {
      say({ type: 'result', value: await serve(request as never) })
    } catch (error) {
      say(toErrorAnswer(error))
    }
  })
  say({ type: 'ready' })
}

function toErrorAnswer(error: unknown): ThreadAnswer {
  if (!(error instanceof Error)) return { type: 'error', name: 'Error', message: String(error), code: null }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null
  return { type: 'error', name: error.name, message: error.message, code }
}
