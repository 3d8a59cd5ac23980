import { describe, expect, onTestFinished, test } from 'vitest'
import type { EpisodePassages, Passage } from '../../../shared/insight/transcripts/passage.ts'
import { parseTextQuery } from '../../../shared/insight/transcripts/text-query.ts'
import {
  episodesOfPart,
  type PassageQuery,
  type TranscriptIndex,
} from '../../../shared/insight/transcripts/transcript-index.ts'

/** A passage that was observed at the root, unless a test says otherwise. */
export const passage = (text: string, more: Partial<Passage> = {}): Passage => ({
  kind: 'observation',
  node: 0,
  role: null,
  finish_reason: null,
  text,
  ...more,
})

export const episode = (
  index: number,
  passages: Passage[],
  more: Partial<EpisodePassages> = {},
): EpisodePassages => ({
  index,
  version: '1',
  task: `task-${index}`,
  outcome: 'succeeded',
  reward: 1,
  success: true,
  is_cut: false,
  passages,
  ...more,
})

export const ask = (q: string, more: Partial<PassageQuery> = {}): PassageQuery => ({
  text: parseTextQuery(q),
  limit: 100,
  ...more,
})

export const places = async (index: TranscriptIndex, run: string, query: PassageQuery) =>
  (await index.search(run, query)).found.map(({ place }) => `${place.episode}/${place.passage}`)

/** What every driver of the index promises. @param open - an empty one */
export function describeIndexContract(name: string, open: () => Promise<TranscriptIndex>): void {
  async function openIndex() {
    const index = await open()
    onTestFinished(() => index.close())
    return index
  }

  describe(`the index over ${name}`, () => {
    test('finds passages of a run in their order, with all that was put', async () => {
      const index = await openIndex()
      const answer = passage('a bed', { kind: 'answer', node: 4, role: 'policy', finish_reason: 'length' })
      const last = episode(episodesOfPart + 3, [passage('no'), answer], {
        outcome: 'limited',
        reward: null,
        success: null,
        is_cut: true,
      })
      await index.put('run-1', [last, episode(2, [passage('the bed'), passage('bed', { node: null })])])
      await index.put('run-2', [episode(0, [passage('bed')])])
      expect(await places(index, 'run-1', ask('bed'))).toEqual(['2/0', '2/1', '23/1'])
      const { passages: _, ...facts } = last
      expect((await index.search('run-1', ask('a'))).found[0]).toEqual({
        place: { episode: 23, passage: 1 },
        episode: facts,
        passage: answer,
      })
      expect(await index.search('run-3', ask('bed'))).toEqual({ found: [], stoppedAt: null })
    })

    test('pages go on behind a place', async () => {
      const index = await openIndex()
      await index.put(
        'run',
        [0, 1, 40].map((at) => episode(at, [passage('x'), passage('y'), passage('x')])),
      )
      const all = ['0/0', '0/2', '1/0', '1/2', '40/0', '40/2']
      expect(await places(index, 'run', ask('x', { limit: 3 }))).toEqual(all.slice(0, 3))
      for (const [at, place] of all.entries()) {
        const [own = 0, number = 0] = place.split('/').map(Number)
        const after = { episode: own, passage: number }
        expect(await places(index, 'run', ask('x', { limit: 2, after }))).toEqual(all.slice(at + 1, at + 3))
      }
    })

    test('filters must all hold', async () => {
      const index = await openIndex()
      await index.put('run', [
        episode(0, [passage('x'), passage('x', { kind: 'answer', finish_reason: 'stop' })]),
        episode(1, [passage('x', { kind: 'note', finish_reason: 'stop' })], { outcome: 'failed' }),
      ])
      expect(await places(index, 'run', ask('x', { kind: 'note' }))).toEqual(['1/0'])
      expect(await places(index, 'run', ask('x', { finish_reason: 'stop' }))).toEqual(['0/1', '1/0'])
      expect(await places(index, 'run', ask('x', { finish_reason: 'stop', outcome: 'failed' }))).toEqual([
        '1/0',
      ])
      expect(await places(index, 'run', ask('x', { outcome: 'errored' }))).toEqual([])
    })

    test('an episode that is put again takes the place of what was there', async () => {
      const index = await openIndex()
      await index.put('run', [episode(0, [passage('old'), passage('old')], { is_cut: true }), episode(1, [])])
      expect(await index.summary('run')).toEqual({ settled: null, cut: 1 })
      await index.put('run', [episode(0, [passage('new')], { version: '2' })])
      expect(await places(index, 'run', ask('old'))).toEqual([])
      expect(await places(index, 'run', ask('new'))).toEqual(['0/0'])
      expect(await index.versions('run')).toEqual(
        new Map([
          [0, '2'],
          [1, '1'],
        ]),
      )
      expect(await index.summary('run')).toEqual({ settled: null, cut: 0 })
    })

    test('what is noted of a run stands until it is noted anew', async () => {
      const index = await openIndex()
      expect(await index.summary('run')).toEqual({ settled: null, cut: 0 })
      await index.settle('run', 'first')
      await index.put('run', [episode(0, [])])
      await index.settle('run', 'second')
      expect(await index.summary('run')).toEqual({ settled: 'second', cut: 0 })
      expect(await index.summary('other')).toEqual({ settled: null, cut: 0 })
    })

    test('those that put at the same time lose nothing', async () => {
      const index = await openIndex()
      await Promise.all([0, 1, 2, 3].map((at) => index.put('run', [episode(at, [passage('x')])])))
      expect(await places(index, 'run', ask('x'))).toEqual(['0/0', '1/0', '2/0', '3/0'])
      expect((await index.versions('run')).size).toBe(4)
    })
  })
}
