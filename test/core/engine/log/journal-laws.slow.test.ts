import { setImmediate as rest } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Journal } from '../../../../shared/core/engine/journal.ts'
import { JournalFencedError } from '../../../../shared/core/engine/journal-fenced-error.ts'
import type { JournalRecord } from '../../../../shared/core/engine/journal-record.ts'
import { objectKeys } from '../../../../shared/core/engine/keys.ts'
import { WorkerLogs } from '../../../../shared/core/engine/log/worker-logs.ts'
import { readJournal } from '../../../../shared/core/engine/read-journal.ts'
import { seededRandom } from '../../../../shared/core/random/seeded-random.ts'
import type { Clock, Objects } from '../../../../shared/core/world/ports.ts'
import { type Bodies, racingObjects } from '../../../support/racing-objects.ts'

const clock: Clock = { now: () => 0, sleep: () => rest() }
const prefixOf = (episode: number) => objectKeys.journal('run', `ep-${episode}`, 1)
const numbersOf = (records: readonly JournalRecord[]) =>
  records.flatMap((record) => ('segment' in record ? [record.segment] : []))
const linesOf = (records: readonly JournalRecord[]) =>
  records.flatMap((record) => ('entry' in record ? [String(record.entry.line)] : []))

/** JOURNAL_RACES=2000 tries more. `groups`: whether the worker has logs; others write an object a segment, as Lambda's do. */
const races = fc.record({
  seed: fc.nat(),
  failing: fc.constantFrom(0, 0, 0.05, 0.2),
  episodes: fc.integer({ min: 1, max: 4 }),
  workers: fc.array(fc.record({ groups: fc.boolean(), life: fc.integer({ min: 1, max: 300 }) }), {
    minLength: 1,
    maxLength: 5,
  }),
})

/**
 * One turn of a worker with an episode. After each commit, what it knows of the journal: all that was there when it opened it, and
 * what it wrote since.
 */
async function turn(
  { objects, logs, name, known }: Player,
  { episode, length }: { episode: number; length: number },
): Promise<void> {
  const writer = `${name}/${crypto.randomUUID()}`
  const journal = await Journal.open({
    objects,
    clock,
    prefix: prefixOf(episode),
    writer,
    code: 'code',
    ...(logs && { log: () => logs.of('run') }),
  })
  const lines = linesOf(journal.committed.records)
  known.push({ episode, lines: [...lines] })
  try {
    for (let number = 0; number < length; number += 1) {
      const line = `${writer}/${number}`
      await journal.append([{ entry: { line } }], number)
      lines.push(line)
      known.push({ episode, lines: [...lines] })
    }
  } finally {
    await journal.close()
  }
  await journal.compact()
}

interface Player {
  objects: Objects
  logs: WorkerLogs | undefined
  name: string
  known: { episode: number; lines: string[] }[]
}

test('whoever writes, dies or fails when, all that any worker ever knew of a journal is how it begins', async () => {
  await fc.assert(
    fc.asyncProperty(races, async ({ seed, failing, episodes, workers }) => {
      const random = seededRandom('race', seed)
      const bodies: Bodies = new Map()
      const known: Player['known'] = []
      const open = (index: number, { groups, life }: { groups: boolean; life: number }) => {
        const death = Promise.withResolvers<void>()
        let left = life
        let isDead = false
        const isKilled = () => {
          left -= 1
          isDead ||= left < 0
          if (isDead) death.resolve()
          return isDead
        }
        const objects = racingObjects(bodies, { random, failing }, isKilled)
        const logs = groups ? new WorkerLogs({ objects, clock }, 1) : undefined
        return {
          player: { objects, logs, name: `w${index}`, known },
          death: death.promise,
          isDead: () => isDead,
        }
      }
      const live = async (index: number, worker: { groups: boolean; life: number }) => {
        const { player, death, isDead } = open(index, worker)
        const lives = Array.from({ length: episodes }, async (_, episode) => {
          for (let turns = 0; turns < 3 && !isDead(); turns += 1) {
            await turn(player, { episode, length: Math.floor(random() ** 8 * 80) }).catch(
              (error: unknown) => {
                const isExpected =
                  error instanceof JournalFencedError || String(error).includes('storage failed')
                if (!isExpected) throw error
              },
            )
          }
        })
        await Promise.race([Promise.all(lives), death])
      }
      await Promise.all(workers.map((worker, index) => live(index, worker)))
      const calm = racingObjects(bodies, { random, failing: 0 }, () => false)
      // Twice: late writes may come after the first, and must change nothing.
      for (const last of ['first', 'second']) {
        for (let episode = 0; episode < episodes; episode += 1) {
          const player = { objects: calm, logs: undefined, name: last, known }
          const play = () => turn(player, { episode, length: 1 })
          // A write that a dead worker had begun may still come first, once.
          await play().catch(() => play())
        }
      }
      for (let turns = 0; turns < 100; turns += 1) await rest()
      for (let episode = 0; episode < episodes; episode += 1) {
        const { records } = await readJournal(calm, prefixOf(episode))
        const numbers = numbersOf(records)
        expect(numbers).toEqual(numbers.map((_, index) => index + 1))
        const lines = linesOf(records)
        expect(new Set(lines).size).toBe(lines.length)
        for (const one of known)
          if (one.episode === episode) expect(lines.slice(0, one.lines.length)).toEqual(one.lines)
      }
    }),
    { numRuns: Number(process.env.JOURNAL_RACES ?? 100) },
  )
}, 120_000)
