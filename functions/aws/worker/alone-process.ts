import { isTransient } from '../../../shared/core/engine/episodes/episode-error.ts'
import type { MessageFromAlone, MessageToAlone, PlayAlone } from './alone-messages.ts'
import { openPlayer } from './open-player.ts'
import { publishMetrics } from './publish-metrics.ts'

const graceSeconds = 90

process.once('message', (first: MessageToAlone) => {
  if (first.type !== 'play') return
  play(first).then(answer, (error: unknown) =>
    answer({ type: 'failed', error: String(error), isTransient: isTransient(error) }),
  )
})

// The parent decides when this process ends. Without the parent, another worker receives the message.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined)
process.once('disconnect', () => process.exit(1))

async function play({ worker, message }: PlayAlone): Promise<MessageFromAlone> {
  const { engine, close } = await openPlayer(process.env, { worker, places: 1 })
  const { presence, runner } = engine
  process.on('message', (later: MessageToAlone) => {
    if (later.type !== 'stop') return
    runner.stop('shutdown', 'The worker stops.')
    setTimeout(() => runner.abort(), graceSeconds * 1000).unref()
  })
  let isSettled = false
  await presence.begin()
  try {
    await runner.play({ body: message }, true)
    await runner.leave()
    isSettled = true
  } finally {
    await presence.end({ isSettled })
    await close()
    publishMetrics()
  }
  return { type: 'played' }
}

function answer(message: MessageFromAlone): void {
  process.send?.(message, undefined, undefined, () => process.exit(0))
}
