import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toList } from '../../../shared/core/contracts/list.ts'
import {
  type TranscriptHit,
  transcriptQuerySchema,
} from '../../../shared/core/contracts/transcript-search.ts'
import { markOf } from '../../../shared/insight/transcripts/catch-up.ts'
import { ObjectIndex } from '../../../shared/insight/transcripts/object-index.ts'
import { openTranscripts } from '../../../shared/insight/transcripts/open-transcripts.ts'
import { episodesOfPart } from '../../../shared/insight/transcripts/transcript-index.ts'
import { endedRun } from '../../builders/runs.ts'
import { shareWorld } from '../../support/open-test-world.ts'
import { prefixedObjects } from '../../support/prefixed-objects.ts'
import { episode, passage } from './index-contract.ts'

const shared = shareWorld()
let opened = 0

// Episodes in any of five parts, each with the texts of its passages.
const indexed = fc.dictionary(
  fc.nat(5 * episodesOfPart - 1).map(String),
  fc.array(fc.constantFrom('wool', 'bed', 'wool and bed'), { maxLength: 3 }),
  { maxKeys: 12 },
)

async function openSearch(contents: Record<string, string[]>[]) {
  opened += 1
  let gets = 0
  const objects = prefixedObjects(shared.world.objects, `of-${opened}/`)
  const index = new ObjectIndex({
    put: objects.put,
    get: (key) => {
      gets += 1
      return objects.get(key)
    },
  })
  const stored = contents.map((_, at) => endedRun(`run-${at}`)).reverse()
  for (const run of stored) {
    const own = Object.entries(contents[Number(run.id.slice(4))] ?? {})
    await index.put(
      run.id,
      own.map(([at, texts]) =>
        episode(
          Number(at),
          texts.map((text) => passage(text)),
        ),
      ),
    )
    await index.settle(run.id, markOf(run, 0) ?? '')
  }
  const runs = {
    get: async (id: string) => stored.find((run) => run.id === id) ?? endedRun(id),
    list: async ({ after }: { after?: string | undefined }) =>
      toList(
        stored.filter(({ id }) => after === undefined || id < after),
        false,
      ),
    episodes: async () => toList([], false),
    journal: async () => [],
  }
  return {
    gets: () => gets,
    page(after: string | undefined, limit: number, search: number) {
      let now = 0
      const onError = (error: unknown) => expect.unreachable(String(error))
      const times = { index: Number.POSITIVE_INFINITY, search }
      const { search: find } = openTranscripts({ index, runs, now: () => ++now, times, onError })
      return find(transcriptQuerySchema.parse({ q: 'wool', limit, after }))
    },
  }
}

test('the pages of searches with any limits of time and of hits are together the search without', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(indexed, { minLength: 1, maxLength: 4 }),
      fc.infiniteStream(fc.tuple(fc.integer({ min: 1, max: 8 }), fc.nat(12))),
      async (contents, limits) => {
        const { page } = await openSearch(contents)
        const whole = await page(undefined, 1000, Number.POSITIVE_INFINITY)
        expect(whole.has_more).toBe(false)
        const read: TranscriptHit[] = []
        for (let after: string | undefined, more = true; more; ) {
          const [[limit, time] = [1, 0]] = limits.take(1)
          const one = await page(after, limit, time)
          expect(one.data.length).toBeLessThanOrEqual(limit)
          read.push(...one.data)
          more = one.has_more
          if (more) expect(one.last_id).not.toBe(after)
          after = one.last_id ?? undefined
        }
        expect(read).toEqual(whole.data)
      },
    ),
    { numRuns: 60 },
  )
})

test('a page whose time is over reads no further part of a large run', async () => {
  const large = Array.from({ length: 30 }, (_, part) => [String(part * episodesOfPart), ['wool']])
  const { gets, page } = await openSearch([Object.fromEntries(large)])
  const before = gets()
  const first = await page(undefined, 100, 5)
  expect(first).toMatchObject({ has_more: true, runs: 1 })
  expect(first.last_id).toBe(first.data.at(-1)?.id)
  expect(gets() - before).toBeLessThan(10)
})
