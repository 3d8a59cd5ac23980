import { LocalQueue } from '../../shared/core/world/local/local-queue.ts'
import type { IncomingMessage } from '../../shared/core/world/ports.ts'
import type { Faults } from './inject.ts'

const latest = 1.5

export function upsetQueues(faults: Faults): void {
  const receive = LocalQueue.prototype.receive
  LocalQueue.prototype.receive = async function (this: LocalQueue, options) {
    const messages = await receive.call(this, options)
    const kept: IncomingMessage[] = []
    for (const message of messages) {
      const { body, group, receipt } = message
      if (faults.chance() < faults.control.duplicates) {
        faults.note('duplicates')
        await this.send([{ body, group }])
      }
      if (faults.chance() < faults.control.reorder) {
        faults.note('reorder')
        await this.send([{ body, group, delay: faults.chance() * latest }])
        await this.delete(receipt)
      } else kept.push(message)
    }
    return kept.length > 0 ? kept.reverse() : kept
  }
}
