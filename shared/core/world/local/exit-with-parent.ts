import { Socket } from 'node:net'
import { isMainThread, Worker } from 'node:worker_threads'

// Preloaded into every host (`node --import`). The parent holds the other end of the standard input and never writes
// to it, so its end means that the parent is gone, even if it was killed. A separate thread watches, because the main
// thread of a host may be stuck in an endless loop.
if (isMainThread) {
  const resourceLimits = { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 128, stackSizeMb: 1 }
  new Worker(new URL(import.meta.url), { execArgv: [], resourceLimits }).unref()
} else {
  const input = new Socket({ fd: 0, readable: true, writable: false })
  const leave = (): void => {
    process.kill(process.pid, 'SIGKILL')
  }
  input.on('error', leave)
  input.on('close', leave)
  input.resume()
}
