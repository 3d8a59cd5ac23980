import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { openScorer } from '../../../../cli/scoring/open-scorer.ts'
import type { ScoredEpisode } from '../../../../shared/core/contracts/scoring.ts'
import { networkEventSchema } from '../../../../shared/environments/webarena/verified/network-trace.ts'
import {
  packTrace,
  type StoredTrace,
  scoreTrace,
  unpackTrace,
} from '../../../../shared/environments/webarena/verified/stored-trace.ts'
import { ownSites, type VerifiedCase, verifiedCases } from './verified-cases.ts'

function traceOf({ task, response, entries }: VerifiedCase, incomplete: string | null = null): StoredTrace {
  const events = entries.map((entry) => networkEventSchema.parse(entry))
  const _espalier = { task, sites: ownSites, response, incomplete }
  return { log: { version: '1.2', entries: events, _espalier } }
}

const episodeWith = (trace?: string) =>
  ({ trajectory: { steps: [{ extra: { trace } }] } }) as unknown as ScoredEpisode

test('every case is scored from its stored trace as it was at first', async () => {
  const scorer = await openScorer('webarena-verified', {})
  expect(scorer.by).toMatchObject({ kind: 'scorer', name: 'webarena-verified', model: null })
  for (const each of verifiedCases) {
    const packed = await packTrace(traceOf(each))
    expect(scoreTrace(await unpackTrace(packed)).score).toBe(each.score)
    expect((await scorer.score(episodeWith(packed))).value).toBe(each.score)
  }
})

test('a trace that lacks requests, is too large or is none is an error and no 0', async () => {
  const [first] = verifiedCases as readonly [VerifiedCase]
  const refused = expect.objectContaining({ code: 'environment_failed' })
  expect(() => scoreTrace(traceOf(first, 'it has more than 5000 requests'))).toThrow(refused)
  expect(() => scoreTrace(traceOf({ ...first, entries: [] }))).toThrow(refused)
  const large = { ...first, response: randomBytes(600_000).toString('base64') }
  await expect(packTrace(traceOf(large))).rejects.toThrow(refused)
  await expect(unpackTrace('bm9uZQ==')).rejects.toThrow(refused)
  const scorer = await openScorer('webarena-verified', {})
  await expect(scorer.score(episodeWith())).rejects.toThrow('It keeps no network trace')
})
