import { isTransient } from '../../../shared/engine/episodes/episode-error.ts'
import type { MessageFromAlone, MessageToAlone, PlayAlone } from './alone-messages.ts'
import { openPlayer } from './open-player.ts'

/** Seconds for which calls under way may go on once the worker that started this process is asked to leave. */
const grace = 90

/** The program of a process that plays one episode and nothing else, and ends. */
process.once('message', (first: MessageToAlone) => {
  if (first.type !== 'play') return
  play(first).then(answer, (error: unknown) =>
    answer({ type: 'failed', error: String(error), isTransient: isTransient(error) }),
  )
})

// Who starts it decides when it ends, and without it the message comes to another.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined)
process.once('disconnect', () => process.exit(1))

async function play({ worker, message }: PlayAlone): Promise<MessageFromAlone> {
  const { engine, close } = await openPlayer(process.env, { worker, places: 1 })
  const { presence, runner } = engine
  process.on('message', (later: MessageToAlone) => {
    if (later.type !== 'stop') return
    runner.stop('shutdown', 'The worker stops.')
    setTimeout(() => runner.abort(), grace * 1000).unref()
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
  }
  return { type: 'played' }
}

function answer(message: MessageFromAlone): void {
  process.send?.(message, undefined, undefined, () => process.exit(0))
}
