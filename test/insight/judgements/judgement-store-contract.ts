import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { JudgeIdentity, JudgementFilter } from '../../../shared/core/contracts/judgement.ts'
import { ledgerKeys } from '../../../shared/core/engine/keys.ts'
import type { Ledger } from '../../../shared/core/world/ports.ts'
import {
  JudgementStore,
  type NewJudgement,
  type StoredJudgement,
} from '../../../shared/insight/judgements/judgement-store.ts'
import { uniqueName } from '../../core/contracts/world/contract-world.ts'

export const ada: JudgeIdentity = { kind: 'person', name: 'Ada / 1' }
const bob: JudgeIdentity = { kind: 'person', name: 'böb' }
const scorer = { kind: 'scorer', name: 'length.ts', digest: 'digest-1', model: null } as const

export function aJudgement(given: Partial<NewJudgement> & { run: string }): NewJudgement {
  return {
    episode: 'ep-0000000',
    name: 'careful',
    node: null,
    by: ada,
    value: 1,
    error: null,
    note: null,
    at: '2026-11-26T09:00:00.000Z',
    end: 'end-1',
    ...given,
  }
}

async function readAll(store: JudgementStore, run: string, filter: JudgementFilter = {}, after?: string) {
  const found: StoredJudgement[] = []
  for await (const judgement of store.read(run, filter, after)) found.push(judgement)
  return found
}

/** What every ledger must do for judgements. */
export function describeJudgementStore(
  name: string,
  open: () => Promise<{ ledger: Ledger; close: () => Promise<void> }>,
): void {
  describe(`judgements in the ${name} ledger`, () => {
    let ledger: Ledger
    let close: () => Promise<void>
    beforeAll(async () => {
      const opened = await open()
      ;({ ledger, close } = opened)
    })
    afterAll(() => close())

    async function newRun(): Promise<string> {
      const run = uniqueName()
      await ledger.update({ key: ledgerKeys.run(run), set: { id: run } })
      return run
    }

    test('a later judgement of the same person takes the place of the earlier; others stay', async () => {
      const store = new JudgementStore(ledger)
      const run = await newRun()
      await store.put([aJudgement({ run, value: 0 })])
      await store.put([aJudgement({ run, by: bob, value: 0.5 }), aJudgement({ run, node: 3, value: 0 })])
      await store.put([aJudgement({ run, value: 1, note: 'On second thought.' })])
      const found = await readAll(store, run)
      expect(found.map(({ by, node, value }) => [by.name, node, value])).toEqual([
        ['Ada / 1', null, 1],
        ['böb', null, 0.5],
        ['Ada / 1', 3, 0],
      ])
      expect(found[0]).toMatchObject({ note: 'On second thought.', end: 'end-1' })
      expect(await store.remove(run, found[0]?.id ?? '')).toBe(true)
      expect(await store.remove(run, found[0]?.id ?? '')).toBe(false)
      expect(await readAll(store, run)).toHaveLength(2)
    })

    test('a scorer of any version takes the place of the one before, and has its name alone', async () => {
      const store = new JudgementStore(ledger)
      const run = await newRun()
      await store.put([aJudgement({ run, name: 'length', by: scorer })])
      const next = { ...scorer, digest: 'digest-2' }
      await store.put([aJudgement({ run, name: 'length', by: next, value: null, error: 'It threw.' })])
      expect(await readAll(store, run)).toMatchObject([{ by: next, value: null, error: 'It threw.' }])
      await expect(store.put([aJudgement({ run, name: 'length' })])).rejects.toMatchObject({
        code: 'conflict',
        param: 'name',
      })
      expect(await readAll(store, run)).toHaveLength(1)
    })

    test('nothing is judged of a run that is deleted or never was', async () => {
      const store = new JudgementStore(ledger)
      const run = await newRun()
      await ledger.update({ key: ledgerKeys.run(run), set: { deleting: true } })
      for (const gone of [run, uniqueName()]) {
        await expect(store.put([aJudgement({ run: gone })])).rejects.toMatchObject({ code: 'not_found' })
        expect(await readAll(store, gone)).toEqual([])
      }
    })

    test('two people who judge first at the same moment both are heard', async () => {
      const store = new JudgementStore(ledger)
      const run = await newRun()
      await Promise.all([ada, bob].map((by) => store.put([aJudgement({ run, by })])))
      expect(await readAll(store, run)).toHaveLength(2)
    })

    test('more judgements than a transaction holds are stored at once', async () => {
      const store = new JudgementStore(ledger)
      const run = await newRun()
      const episodes = Array.from({ length: 200 }, (_, index) => `ep-${String(index).padStart(7, '0')}`)
      await store.put(episodes.map((episode) => aJudgement({ run, episode, by: scorer })))
      expect((await readAll(store, run)).map(({ episode }) => episode)).toEqual(episodes)
    })

    test('filters and pages together give each judgement that passes once, in the order of ids', async () => {
      const place = fc.record({
        name: fc.constantFrom('a', 'a-b', 'a_b', 'b'),
        episode: fc.constantFrom('ep-0000000', 'ep-0000001', 'ep-0000010'),
        node: fc.constantFrom(null, 1, 2, 10),
        by: fc.constantFrom(ada, bob),
      })
      const filter = fc.record(
        {
          name: fc.constantFrom('a', 'a-b', 'c'),
          episode: fc.constantFrom('ep-0000000', 'ep-0000001'),
          by: fc.constantFrom('böb'),
          kind: fc.constantFrom('person' as const, 'scorer' as const),
        },
        { requiredKeys: [] },
      )
      await fc.assert(
        fc.asyncProperty(fc.array(place, { maxLength: 12 }), filter, async (places, asked) => {
          const store = new JudgementStore(ledger)
          const run = await newRun()
          for (const each of places) await store.put([aJudgement({ run, ...each })])
          const wanted = places.filter(
            ({ by, episode, name: given }) =>
              (asked.name ?? given) === given &&
              (asked.episode ?? episode) === episode &&
              (asked.by ?? by.name) === by.name &&
              (asked.kind ?? by.kind) === by.kind,
          )
          const found = await readAll(store, run, asked)
          const key = ({
            by,
            episode,
            name: given,
            node,
          }: NewJudgement | StoredJudgement | (typeof places)[0]) =>
            JSON.stringify([given, episode, node, by.name])
          expect(new Set(found.map(key))).toEqual(new Set(wanted.map(key)))
          expect(found).toHaveLength(new Set(wanted.map(key)).size)
          for (const [at, { id }] of found.entries()) {
            expect((await readAll(store, run, asked, id)).map((each) => each.id)).toEqual(
              found.slice(at + 1).map((each) => each.id),
            )
          }
        }),
        { numRuns: 20 },
      )
    })
  })
}
