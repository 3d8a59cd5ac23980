import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import { type AcceleratorHolder, openAccelerators } from '../../../shared/learn/registry/accelerators.ts'
import { shareWorld } from '../../support/open-test-world.ts'

const shared = shareWorld()
const training = 'training/training-1'
const server = 'serving/model-1'
let now: number
let device: string
let devices = 0

beforeEach(() => {
  now = 1_000_000
  devices += 1
  device = `gpu-${devices}`
})

/** As each process has them. */
const open = () => openAccelerators({ ledger: shared.world.ledger, clock: { now: () => now } })

test('one has it until it gives it back, and the others learn who', async () => {
  expect(await open().take(device, training)).toBe(true)
  expect(await open().take(device, training)).toBe(true)
  expect(await open().isWanted(device, training)).toBe(false)
  expect(await open().take(device, server)).toBe(false)
  expect(await open().describe(device)).toBe(`the accelerator ${device}, which the training training-1 has`)
  expect(await open().isWanted(device, training)).toBe(true)
  await open().release(device, training)
  expect(await open().take(device, server)).toBe(true)
  expect(await open().describe(device)).toBe(`the accelerator ${device}, which the server of model-1 has`)
  expect(await open().isWanted(device, server)).toBe(false)
  expect(await open().take('another', training)).toBe(true)
})

test('one that is not kept is free after a minute, and its first holder learns that it has lost it', async () => {
  await open().take(device, training)
  now += 50_000
  expect(await open().keep(device, training)).toBe(true)
  now += 50_000
  expect(await open().take(device, server)).toBe(false)
  now += 10_001
  expect(await open().take(device, server)).toBe(true)
  expect(await open().keep(device, training)).toBe(false)
  await open().release(device, training)
  expect(await open().keep(device, server)).toBe(true)
})

test('who no longer asks loses the place in the row', async () => {
  await open().take(device, training)
  await open().take(device, 'serving/gone')
  now += 1000
  await open().take(device, server)
  await open().release(device, training)
  expect(await open().take(device, server)).toBe(false)
  expect(await open().describe(device)).toContain('for which others have waited longer')
  now += 15_000
  expect(await open().take(device, server)).toBe(true)
})

const holders: AcceleratorHolder[] = ['training/a', 'training/b', 'serving/c', 'serving/d']
const events = fc.array(
  fc.record({ who: fc.nat(3), what: fc.constantFrom('ask', 'release'), seconds: fc.nat(3) }),
  { minLength: 10, maxLength: 40 },
)

test('at any time one has it, and those who keep asking get it in the order in which they began to', async () => {
  let runs = 0
  await fc.assert(
    fc.asyncProperty(events, async (given) => {
      runs += 1
      const name = `${device}-${runs}`
      let has: AcceleratorHolder | null = null
      const row: AcceleratorHolder[] = []
      for (const { who, what, seconds } of given) {
        now += seconds * 1000 + 1
        const holder = holders[who] as AcceleratorHolder
        // All that wait or hold ask again, as they do every second or two.
        if (has !== null) expect(await open().keep(name, has)).toBe(true)
        for (const each of [...row]) expect(await open().take(name, each)).toBe(takes(each))
        if (what === 'ask') expect(await open().take(name, holder)).toBe(takes(holder))
        else {
          await open().release(name, holder)
          if (has === holder) has = null
          else if (row.includes(holder)) row.splice(row.indexOf(holder), 1)
        }
      }

      /** What is expected of one that asks, by a model of the row. */
      function takes(each: AcceleratorHolder): boolean {
        if (has === each) return true
        const isNext = has === null && (row.length === 0 || row[0] === each)
        if (isNext) {
          has = each
          if (row[0] === each) row.shift()
        } else if (!row.includes(each)) row.push(each)
        return isNext
      }
    }),
    { numRuns: 20 },
  )
})
