import { parentPort, Worker } from 'node:worker_threads'

export type ThreadAnswer =
  | { type: 'ready' }
  | { type: 'result'; value: unknown }
  | { type: 'error'; name: string; message: string; code: string | null }
  | { type: 'ask'; id: number; question: unknown }

export type ThreadMessage =
  | { type: 'call'; request: unknown }
  | { type: 'answer'; id: number; value: unknown }
  | { type: 'refusal'; id: number; message: string }

interface Port {
  post(answer: ThreadAnswer): void
  listen(onMessage: (message: ThreadMessage) => void): void
}

/**
 * Serves the calls of a `ThreadPool`, one after the other. Call it as the last statement of a thread's module, after
 * loading everything that a call needs.
 *
 * @throws Error outside of a thread
 */
export function serveCalls(serve: (request: never) => unknown): void {
  const { post, listen } = poolPort()
  listen(async (message) => {
    if (message.type !== 'call') return
    try {
      post({ type: 'result', value: await serve(message.request as never) })
    } catch (error) {
      post(toErrorAnswer(error))
    }
  })
  post({ type: 'ready' })
}

const asked = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>()
let questions = 0

/**
 * Asks the pool of this thread a question, before or during a call: see `ThreadPoolOptions.answer`.
 *
 * @throws Error with the message of the answer's failure
 */
export function askPool(question: unknown): Promise<unknown> {
  const { post, listen } = poolPort()
  questions += 1
  const id = questions
  if (id === 1) {
    listen((message) => {
      if (message.type === 'call') return
      const waiting = asked.get(message.id)
      asked.delete(message.id)
      if (message.type === 'answer') waiting?.resolve(message.value)
      else waiting?.reject(new Error(message.message))
    })
  }
  return new Promise((resolve, reject) => {
    asked.set(id, { resolve, reject })
    post({ type: 'ask', id, question })
  })
}

/**
 * Ends this process of a `ThreadPool` together with its parent, or when it uses more memory than its heap limit and
 * the usual extra. A separate thread checks this, since an endless loop would block the main one.
 */
export function endWithParent(): void {
  const [parent, memory] = process.argv.slice(2).map(Number)
  // A user who stops the parent's process group by a key still gets the answers in progress.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined)
  process.on('disconnect', () => process.exit())
  const watch = `
    const { writeSync } = require('node:fs')
    setInterval(() => {
      const used = process.memoryUsage.rss() / 2 ** 20
      if (used > ${Number(memory) + mebibytesBesideHeap})
        writeSync(2, 'Error: It used ' + Math.round(used) + ' MB of memory.\\n')
      else if (process.ppid === ${parent}) return
      process.kill(process.pid, 'SIGKILL')
    }, ${watchEvery})`
  const thread = new Worker(watch, {
    eval: true,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 8 },
  })
  thread.unref()
}

const mebibytesBesideHeap = 128
const watchEvery = 100

function poolPort(): Port {
  const port = parentPort
  if (port !== null) {
    return {
      post: (answer) => port.postMessage(answer),
      listen: (onMessage) => port.on('message', onMessage),
    }
  }
  if (process.send === undefined) throw new Error('Calls are served on a thread alone.')
  return {
    post: (answer) => process.send?.(answer),
    listen: (onMessage) => process.on('message', onMessage as (message: unknown) => void),
  }
}

function toErrorAnswer(error: unknown): ThreadAnswer {
  if (!(error instanceof Error)) return { type: 'error', name: 'Error', message: String(error), code: null }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null
  return { type: 'error', name: error.name, message: error.message, code }
}
