import { joinLocalWorld } from '../../../../shared/core/world/local/join-local-world.ts'

/** Joins a held folder, takes a message, and counts without end, printing each count once it is stored. */
const [folder = '', name = ''] = process.argv.slice(2)
const world = await joinLocalWorld({ folder, name, sharing: { onRing: () => undefined } })
await world.queues.episodes.receive({ max: 1, wait: 20, visibility: 600 })
for (;;) {
  const { item } = await world.ledger.update({ key: { partition: 'p', sort: name }, add: { count: 1 } })
  process.stdout.write(`${item?.count}\n`)
}
