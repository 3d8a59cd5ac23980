import type { RowOf } from '../../../../core/contracts/dataset-row.ts'
import type { Sequence } from './sequences.ts'

type Segment = RowOf<'rollout-tree'>['segments'][number]

/** Sequences as a tree of segments: one that follows the same segment as an equal one is stored once. */
export class SegmentTree {
  readonly segments: Segment[] = []
  /** Tokens of all sequences that were added, without sharing. */
  flatTokens = 0
  readonly #places = new Map<string, number>()

  /** @returns the position of the sequence's last segment */
  add({ prompt, spans }: Sequence): number {
    let last = this.#place({ parent: null, ids: [...prompt], learned: false, logprobs: [] })
    for (const { answer, ids } of spans) {
      const logprobs = [...(answer?.logprobs ?? [])]
      last = this.#place({ parent: last, ids: [...ids], learned: answer !== null, logprobs })
    }
    return last
  }

  #place(segment: Segment): number {
    this.flatTokens += segment.ids.length
    // Answers with the same tokens from the same place have the same log-probabilities, but for rounding.
    const key = JSON.stringify([segment.parent, segment.learned, segment.ids])
    const known = this.#places.get(key)
    if (known !== undefined) return known
    this.#places.set(key, this.segments.length)
    return this.segments.push(segment) - 1
  }
}
