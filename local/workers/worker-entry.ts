// Import this first, so that it is active while other modules load: it ends this process with its parent, even out of
// an endless loop.
import '../../shared/core/world/local/exit-with-parent.ts'
import { hideVariables } from '../../shared/core/programs/hide-variables.ts'
import type { MessageFromWorker, MessageToWorker } from './worker-messages.ts'

hideVariables()

const beatEvery = 1000

function send(message: MessageFromWorker): Promise<void> {
  return new Promise((resolve) => {
    // Without a connection the parent is gone, and this process ends with it.
    if (process.connected) process.send?.(message, undefined, undefined, () => resolve())
    else resolve()
  })
}

const beats = setInterval(() => void send({ type: 'beat' }), beatEvery)
void send({ type: 'beat' })

// The parent decides when this process ends: Ctrl-C in the terminal, or a service manager, signals both
// simultaneously.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined)
process.once('disconnect', () => process.exit(1))

process.once('message', async (message: MessageToWorker) => {
  if (message.type !== 'start')
    throw new Error(`A worker's first message must assign its work, not ${message.type}.`)
  const [{ startWorker }, { collectStart }] = await Promise.all([
    import('./start-worker.ts'),
    import('./collect-start.ts'),
  ])
  const worker = await startWorker(message.assignment, send)
  process.on('message', async (later: MessageToWorker) => {
    if (later.type === 'ring') worker.ring(later.queue)
    if (later.type !== 'stop') return
    await worker.stop(later.grace)
    clearInterval(beats)
    process.exit(0)
  })
  await collectStart()
  await send({ type: 'ready' })
})
