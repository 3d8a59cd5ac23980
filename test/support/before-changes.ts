import type { Ledger, LedgerChange, World } from '../../shared/core/world/ports.ts'

/** The same world, with something before each change of the ledger: it may throw, so that the change is not made. */
export function beforeChanges(
  world: World,
  before: (changes: readonly LedgerChange[]) => void | Promise<void>,
): World {
  const { ledger } = world
  const watched: Ledger = {
    get: (key) => ledger.get(key),
    query: (partition, options) => ledger.query(partition, options),
    async update(change) {
      await before([change])
      return ledger.update(change)
    },
    async transact(changes) {
      await before(changes)
      return ledger.transact(changes)
    },
  }
  return { ...world, ledger: watched }
}
