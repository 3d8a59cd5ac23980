import { openLocalWorld } from '../../../../shared/core/world/local/open-local-world.ts'
import { bodyOf } from './written-bodies.ts'

/** Writes to a world without end, and prints the number of each write once it is stored. */
const [folder = ''] = process.argv.slice(2)
const { objects, ledger, queues } = await openLocalWorld({ folder })

const told = (what: string) => process.stdout.write(`${what}\n`)
const key = { partition: 'p', sort: 'counter' }

async function write(number: number): Promise<void> {
  await objects.put(`body/${number}`, bodyOf(number))
  told(`body ${number}`)
  await objects.put('replaced', bodyOf(number))
  await ledger.transact([
    { key, add: { count: 1 } },
    { key: { partition: 'p', sort: `item ${number}` }, set: { number } },
  ])
  told(`item ${number}`)
  await queues.episodes.send([{ body: number, group: 'g' }])
  told(`message ${number}`)
}

async function writeEvery(start: number, stride: number): Promise<never> {
  for (let number = start; ; number += stride) await write(number)
}

await Promise.all(Array.from({ length: 8 }, (_, start) => writeEvery(start, 8)))
