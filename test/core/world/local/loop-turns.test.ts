import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LoopTurns } from '../../../../shared/core/world/local/loop-turns.ts'
import { openTestWorld, testFolder } from './local-test-world.ts'

/** Work that never finds budget left: each piece waits for its caller's next turn. */
async function work(turns: LoopTurns, caller: string, pieces: number, done: string[]): Promise<void> {
  await turns.as(caller, async () => {
    for (let piece = 0; piece < pieces; piece += 1) {
      await turns.take()
      done.push(`${caller}${piece}`)
    }
  })
}

test('a loop of reads lets the event loop turn', async () => {
  const { ledger } = await openTestWorld(await testFolder())
  let hasTurned = false
  setTimeout(() => {
    hasTurned = true
  }, 1)
  const giveUp = performance.now() + 20_000
  while (!hasTurned && performance.now() < giveUp) await ledger.query('partition')
  expect(hasTurned).toBe(true)
})

test('work within the budget waits for nothing', () => {
  const turns = new LoopTurns({ budget: Number.POSITIVE_INFINITY })
  expect(turns.take()).toBeNull()
  expect(turns.take()).toBeNull()
})

test('who asks for little is served between the pieces of who asks for much', async () => {
  const turns = new LoopTurns({ budget: 0 })
  const done: string[] = []
  await Promise.all([
    ...Array.from({ length: 50 }, () => work(turns, 'much', 20, done)),
    work(turns, 'little', 3, done),
  ])
  expect(done.indexOf('little2')).toBeLessThan(60)
})

test('all work ends, each caller in its own order, whatever the callers and budgets', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.nat(12)), { maxLength: 12 }),
      fc.constantFrom(0, 0.01, 10),
      async (jobs, budget) => {
        const turns = new LoopTurns({ budget })
        const done: string[][] = jobs.map(() => [])
        await Promise.all(
          jobs.map(([caller, pieces], index) => work(turns, caller, pieces, done[index] as string[])),
        )
        expect(done).toEqual(
          jobs.map(([caller, pieces]) => Array.from({ length: pieces }, (_, piece) => `${caller}${piece}`)),
        )
      },
    ),
    { numRuns: 50 },
  ))
