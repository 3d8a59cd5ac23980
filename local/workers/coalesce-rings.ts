import type { QueueName } from '../../shared/core/world/ports.ts'

/** Passes rings on to other processes at the end of the turn, once per queue: a thousand messages need one. */
export function coalesceRings(ring: (queue: QueueName) => void): (queue: QueueName) => void {
  const rung = new Set<QueueName>()
  return (queue) => {
    if (rung.size === 0) {
      setImmediate(() => {
        const queues = [...rung]
        rung.clear()
        for (const each of queues) ring(each)
      })
    }
    rung.add(queue)
  }
}
