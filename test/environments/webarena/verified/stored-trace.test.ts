import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { openScorer } from '../../../../cli/scoring/open-scorer.ts'
import type { ScoredEpisode } from '../../../../shared/core/contracts/scoring.ts'
import {
  packTrace,
  scoreTrace,
  unpackTrace,
} from '../../../../shared/environments/webarena/verified/stored-trace.ts'
import { storedTraceOf } from './stored-trace-of.ts'
import { type VerifiedCase, verifiedCases } from './verified-cases.ts'

const episodeWith = (trace?: string) =>
  ({ trajectory: { steps: [{ extra: { trace } }] } }) as unknown as ScoredEpisode

test('every case is scored from its stored trace as it was at first', async () => {
  const scorer = await openScorer('webarena-verified', {})
  expect(scorer.by).toMatchObject({ kind: 'scorer', name: 'webarena-verified', model: null })
  for (const each of verifiedCases) {
    const packed = await packTrace(storedTraceOf(each))
    expect(scoreTrace(await unpackTrace(packed)).score).toBe(each.score)
    expect((await scorer.score(episodeWith(packed))).value).toBe(each.score)
  }
})

test('a trace that lacks requests, is too large or is none is an error and no 0', async () => {
  const [first] = verifiedCases as readonly [VerifiedCase]
  const refused = expect.objectContaining({ code: 'environment_failed' })
  expect(() => scoreTrace(storedTraceOf(first, 'it has more than 5000 requests'))).toThrow(refused)
  expect(() => scoreTrace(storedTraceOf({ ...first, entries: [] }))).toThrow(refused)
  const large = { ...first, response: randomBytes(600_000).toString('base64') }
  await expect(packTrace(storedTraceOf(large))).rejects.toThrow(refused)
  await expect(unpackTrace('bm9uZQ==')).rejects.toThrow(refused)
  const scorer = await openScorer('webarena-verified', {})
  await expect(scorer.score(episodeWith())).rejects.toThrow('it keeps no network trace')
})
