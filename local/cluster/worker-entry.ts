// Import this first: it ends this process with its parent, even out of an endless loop.
import '../../shared/core/world/local/exit-with-parent.ts'
import { hideVariables } from '../../shared/core/programs/hide-variables.ts'
import type { ClusterAssignment, MessageFromClusterWorker } from './worker-processes.ts'

hideVariables()

function send(message: MessageFromClusterWorker): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined)
}

// The parent decides when this process ends.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined)
process.once('disconnect', () => process.exit(1))

process.once('message', async ({ endpoints, name, processes, ...options }: ClusterAssignment) => {
  const { startClusterWorker } = await import('./cluster-worker.ts')
  const log: ClusterLog = (entry) => send({ type: 'log', entry })
  const worker = await startClusterWorker(
    { ...options, endpoints: new Map(endpoints), log },
    { kind: 'service', name, processes },
  )
  process.on('message', async ({ grace }: { grace: number }) => {
    await worker.stop(grace)
    process.exit(0)
  })
  send({ type: 'ready' })
})

type ClusterLog = (entry: Extract<MessageFromClusterWorker, { type: 'log' }>['entry']) => void
