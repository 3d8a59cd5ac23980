import { openLocalWorld } from '../../../../shared/core/world/local/open-local-world.ts'

/** Holds a world with one message in flight and, where an image is named, one host; prints the host when all is done. */
const [folder = '', address = '', entry] = process.argv.slice(2)
const world = await openLocalWorld({ folder, images: entry === undefined ? {} : { host: entry } })
await world.announce(address)
await world.queues.episodes.send([{ body: 'in flight', group: 'g' }])
await world.queues.episodes.receive({ max: 1, wait: 0, visibility: 600 })
const host = entry === undefined ? null : await world.hosts.launch({ image: 'host', token: 'token' })
process.stdout.write(`${JSON.stringify(host)}\n`)
await world.clock.sleep(60_000)
