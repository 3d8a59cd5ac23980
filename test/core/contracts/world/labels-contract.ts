import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { LabelChange } from '../../../../shared/core/contracts/labels.ts'
import {
  changeLabels,
  type LabelledEntry,
  listExperiments,
} from '../../../../shared/core/engine/labels/label-ledger.ts'
import {
  applyLabels,
  type Labels,
  storedLabels,
  toLabels,
} from '../../../../shared/core/engine/labels/labels.ts'
import { atOnce, type ContractWorld, type OpenWorld, uniqueName } from './contract-world.ts'

const changes: fc.Arbitrary<LabelChange> = fc.record(
  {
    name: fc.constantFrom('a name', null),
    experiment: fc.constantFrom('depth', 'depth / 2', 'ünı', null),
    add_tags: fc.constantFrom([], ['a'], ['b', 'two words']),
    remove_tags: fc.constantFrom([], ['a']),
    note: fc.constantFrom('A note.', null),
    archived: fc.boolean(),
  },
  { requiredKeys: [] },
)

/** What labels and the lists of experiments promise over every driver's ledger. */
export function describeLabelsContract(name: string, openWorld: OpenWorld): void {
  describe(`labels over the ledger of ${name}`, () => {
    let opened: ContractWorld
    beforeAll(async () => {
      opened = await openWorld()
    })
    afterAll(() => opened.dispose())

    const clock = { now: () => 1000, sleep: async () => undefined }
    const nothing = toLabels({})

    async function makeThing(tenant: string, id: string, kind: LabelledEntry['kind'] = 'runs') {
      const key = { partition: `${tenant}/${kind}`, sort: id }
      await opened.world.ledger.transact([{ key, set: { status: 'ended' } }])
      return { kind, id, tenant, key }
    }
    const label = (thing: LabelledEntry, change: LabelChange, given = nothing) =>
      changeLabels({ clock, ledger: opened.world.ledger }, thing, change, given)
    const labelsOf = async (thing: LabelledEntry): Promise<Labels | null> => {
      const item = await opened.world.ledger.get(thing.key)
      return item === null ? null : storedLabels(item)
    }
    async function experimentsOf(tenant: string): Promise<Record<string, number>> {
      const found: Record<string, number> = {}
      for (let after: string | undefined; ; ) {
        const page = await listExperiments(opened.world.ledger, tenant, { limit: 1, ...(after && { after }) })
        for (const { id, runs, datasets, imports } of page.data) found[id] = runs + datasets + imports
        if (!page.has_more) return found
        after = page.last_id ?? undefined
      }
    }

    test('changes one after the other come to what they say, and experiments list what is in them', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(fc.tuple(fc.nat(2), changes), { maxLength: 8 }), async (wanted) => {
          const tenant = uniqueName()
          const things = await Promise.all(['one', 'two', 'three'].map((id) => makeThing(tenant, id)))
          const expected = things.map(() => nothing)
          for (const [at, change] of wanted) {
            const thing = things[at] as LabelledEntry
            expected[at] = applyLabels(expected[at] as Labels, change, clock.now())
            expect(await label(thing, change)).toEqual(expected[at])
            expect(await labelsOf(thing)).toEqual(expected[at])
          }
          const counts: Record<string, number> = {}
          for (const { experiment } of expected) {
            if (experiment !== null) counts[experiment] = (counts[experiment] ?? 0) + 1
          }
          expect(await experimentsOf(tenant)).toEqual(counts)
        }),
        { numRuns: 8 },
      )
    })

    test('of changes at once each is made, and a thing is in one experiment', async () => {
      const tenant = uniqueName()
      const thing = await makeThing(tenant, 'one', 'datasets')
      await atOnce(12, (index) =>
        label(thing, { add_tags: [`tag-${index}`], experiment: `experiment ${index % 3}` }),
      )
      const labels = await labelsOf(thing)
      expect(labels?.tags.toSorted()).toEqual(Array.from({ length: 12 }, (_, at) => `tag-${at}`).toSorted())
      expect(await experimentsOf(tenant)).toEqual({ [labels?.experiment ?? '']: 1 })
    })

    test('what a thing was given first holds until it is changed', async () => {
      const tenant = uniqueName()
      const thing = await makeThing(tenant, 'one')
      const given = toLabels({ name: 'first', tags: ['a'] })
      expect(await label(thing, { note: 'Later.' }, given)).toEqual({ ...given, note: 'Later.' })
      expect(await label(thing, { name: null }, given)).toEqual({ ...given, name: null, note: 'Later.' })
    })

    test('what is gone, or about to be, is not labelled', async () => {
      const tenant = uniqueName()
      const gone = { ...(await makeThing(tenant, 'one')), key: { partition: tenant, sort: 'never there' } }
      expect(await label(gone, { experiment: 'depth' })).toBeNull()
      const leaving = await makeThing(tenant, 'two')
      await opened.world.ledger.transact([{ key: leaving.key, set: { deleting: true } }])
      expect(await label(leaving, { experiment: 'depth' })).toBeNull()
      expect(await experimentsOf(tenant)).toEqual({})
    })
  })
}
