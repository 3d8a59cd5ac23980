import { expect } from 'vitest'
import { remainsPartition } from '../../../shared/core/engine/remains.ts'
import type { openWholeApi } from './open-whole-api.ts'

type Whole = Pick<Awaited<ReturnType<typeof openWholeApi>>, 'engine' | 'world'>

/** A worker holds a run until it has returned its allowance: until then only a later sweep removes the data. */
export async function untilRemoved({ engine, world }: Whole): Promise<void> {
  const left = async () => {
    await engine.sweep({ lostAfter: 60 })
    return (await world.ledger.query(remainsPartition)).items
  }
  await expect.poll(left).toEqual([])
}
