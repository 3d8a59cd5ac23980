import type { CallOptions, ChatModel } from '../../../shared/play/models/chat-model.ts'
import { createHashModel } from '../../support/hash-model.ts'

// Answers its first calls. Later calls reserve, and wait until they are released or cut off.
export function heldModel(answered = 0): { model: ChatModel; release: () => void } {
  const released = Promise.withResolvers<void>()
  const hash = createHashModel()
  let calls = 0
  const held = ({ meter, signal, ...options }: CallOptions): CallOptions => ({
    ...options,
    meter: {
      async reserve(amount) {
        const reservation = await meter.reserve(amount)
        const cut = Promise.withResolvers<void>()
        signal?.addEventListener('abort', () => cut.resolve(), { once: true })
        if (!signal?.aborted) await Promise.race([released.promise, cut.promise])
        if (signal?.aborted) {
          await reservation.lose()
          throw signal.reason
        }
        return reservation
      },
    },
  })
  return {
    release: released.resolve,
    model: {
      complete(request, options) {
        calls += 1
        return hash.complete(request, calls > answered ? held(options) : options)
      },
    },
  }
}
