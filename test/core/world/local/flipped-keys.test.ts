import { cp } from 'node:fs/promises'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { EspalierError } from '../../../../shared/core/contracts/errors.ts'
import { openLocalWorld } from '../../../../shared/core/world/local/open-local-world.ts'
import { lentFolder, temporaryFolder } from '../../../support/temporary-folder.ts'
import { flipKey } from './flip-bits.ts'

const partitions = ['run/a/events', 'run/b/events', 'run/c/events']
const sorts = Array.from({ length: 40 }, (_, index) => String(index + 1).padStart(4, '0'))

type Question = { partition: string; after?: string; limit: number; reverse: boolean }

const questions: fc.Arbitrary<Question> = fc.record(
  {
    partition: fc.constantFrom(...partitions),
    after: fc.constantFrom(...sorts),
    limit: fc.constantFrom(1, 3, 1000),
    reverse: fc.boolean(),
  },
  { requiredKeys: ['partition', 'limit', 'reverse'] },
)

describe('a ledger with a flipped bit in a key', () => {
  let folder: string
  beforeAll(async () => {
    const lent = await lentFolder()
    folder = lent.folder
    const world = await openLocalWorld({ folder })
    for (const partition of partitions)
      for (const sort of sorts)
        await world.ledger.update({ key: { partition, sort }, set: { note: `${sort} `.repeat(60) } })
    await world.close()
    return lent.remove
  })

  const bits = fc.nat({ max: 8 * `${partitions[0]}${sorts[0]}`.length - 1 })
  test('lists each item in its place, or names the damaged one', async () => {
    let refused = 0
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...partitions),
        fc.constantFrom(...sorts),
        bits,
        fc.array(questions, { minLength: 20, maxLength: 20 }),
        async (partition, sort, bit, asked) => {
          const copy = await temporaryFolder()
          await cp(folder, copy, { recursive: true })
          flipKey(copy, { partition, sort }, bit)
          const world = await openLocalWorld({ folder: copy })
          try {
            for (const { partition: of, ...options } of asked) {
              const found = await world.ledger.query(of, options).catch((error: unknown) => {
                expect(EspalierError.isInstance(error) && error.code).toBe('damaged_object')
                refused += 1
                return null
              })
              if (found !== null) expect(found.items.map((item) => item.sort)).toEqual(listed(options))
            }
          } finally {
            await world.close()
          }
        },
      ),
      { numRuns: 60 },
    )
    expect(refused).toBeGreaterThan(20)
  })
})

function listed({ after, limit, reverse }: Omit<Question, 'partition'>): string[] {
  const inOrder = reverse ? sorts.toReversed() : sorts
  const isWanted = (sort: string) => after === undefined || (reverse ? sort < after : sort > after)
  return inOrder.filter(isWanted).slice(0, limit)
}
