import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ObjectIndex } from '../../../shared/insight/transcripts/object-index.ts'
import { SqliteIndex } from '../../../shared/insight/transcripts/sqlite-index.ts'
import { findMatches, parseTextQuery } from '../../../shared/insight/transcripts/text-query.ts'
import type { TranscriptIndex } from '../../../shared/insight/transcripts/transcript-index.ts'
import { shareWorld } from '../../support/open-test-world.ts'
import { prefixedObjects } from '../../support/prefixed-objects.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { ask, describeIndexContract, episode, passage, places } from './index-contract.ts'

const shared = shareWorld()
let opened = 0

const drivers: Record<string, () => Promise<TranscriptIndex>> = {
  sqlite: async () => new SqliteIndex(join(await temporaryFolder(), 'transcripts.db')),
  objects: async () => {
    opened += 1
    return new ObjectIndex(prefixedObjects(shared.world.objects, `of-${opened}/`))
  },
}

for (const [name, open] of Object.entries(drivers)) describeIndexContract(name, open)

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc
    .array(
      fc.constantFrom('wool', 'Wool', 'wo', 'é', 'É', 'bed', '3', '_', '-', '"', '*', ' AND ', '红', '\n'),
      {
        maxLength: 12,
      },
    )
    .map((parts) => parts.join(' ')),
)
const query = fc.oneof(
  fc
    .array(fc.constantFrom('wool', 'WO*', 'bed', '"wool bed"', 'e', '3', '红*', 'wo-wool*'), {
      minLength: 1,
      maxLength: 3,
    })
    .map((parts) => parts.join(' ')),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 6 }),
)

function isReadable(q: string): boolean {
  try {
    return parseTextQuery(q).phrases.length > 0
  } catch {
    return false
  }
}

test('every driver finds what the texts have, whatever stands in them', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(text, { maxLength: 3 }), { maxLength: 4 }),
      fc.array(query),
      async (texts, queries) => {
        const indexes = await Promise.all(Object.values(drivers).map((open) => open()))
        const episodes = texts.map((own, at) =>
          episode(
            at * 7,
            own.map((each) => passage(each.replaceAll('\0', ''))),
          ),
        )
        // Any word of the texts is a search, too.
        const words = texts.flat().flatMap((each) => each.split(/\s+/))
        for (const index of indexes) await index.put('run', episodes)
        for (const q of [...queries, ...words].filter(isReadable)) {
          const expected = episodes.flatMap(({ index, passages }) =>
            passages.flatMap((each, at) =>
              findMatches(each.text, parseTextQuery(q)) === null ? [] : [`${index}/${at}`],
            ),
          )
          for (const index of indexes) expect(await places(index, 'run', ask(q)), q).toEqual(expected)
        }
        for (const index of indexes) await index.close()
      },
    ),
    { numRuns: 60 },
  )
})
