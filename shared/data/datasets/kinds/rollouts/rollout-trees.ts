import type { RowOf } from '../../../../core/contracts/dataset-row.ts'
import type { TaskGroup } from '../../attempt.ts'
import type { DatasetKind, FoundRow } from '../../kind.ts'
import {
  type CreditedAttempt,
  type CreditedBranch,
  type CreditParameters,
  creditParameters,
} from './group-branches.ts'
import { creditedRows, groupName, samplingOf, tokenRollouts, turnsOf } from './rollouts.ts'
import { type Sequence, sequencesOf } from './sequences.ts'
import type { TokenTurn, TurnOf } from './token-turns.ts'

type Row = RowOf<'rollout-tree'>

export const rolloutTrees: DatasetKind<CreditParameters, Row> = {
  id: 'rollout-trees',
  description:
    'The same branches as prefix trees, each token once, for trainers that compute shared prefixes once.',
  source: tokenRollouts.source,
  rowType: 'rollout-tree',
  showsPictures: false,
  equalRowsAreSamples: true,
  parameters: creditParameters,
  rows: creditedRows(rowsOf),
}

function rowsOf(
  group: TaskGroup,
  { attempt, branches }: CreditedAttempt,
  turnOf: TurnOf,
  members: number,
): FoundRow<Row>[] {
  const tree = new SegmentTree()
  const all: TokenTurn[] = []
  const nodes = new Set([0])
  const rows = branches.flatMap((branch) => {
    const turns = turnsOf(branch, turnOf)
    if (turns === null) return []
    all.push(...turns)
    for (const { node } of branch.steps) nodes.add(node)
    return partsOf(tree, turns, branch)
  })
  if (rows.length === 0) return []
  const origin = { attempt, node_ids: [...nodes].toSorted((left, right) => left - right) }
  return [
    {
      row: {
        type: 'rollout-tree',
        group: groupName(group),
        members,
        segments: tree.segments,
        branches: rows,
        flat_tokens: tree.flatTokens,
        ...samplingOf(all),
      },
      origin,
    },
  ]
}

function partsOf(
  tree: SegmentTree,
  turns: readonly TokenTurn[],
  { advantages, reward }: CreditedBranch,
): Row['branches'] {
  const sequences = sequencesOf(turns)
  return sequences.map((sequence, part) => {
    const learned = sequence.spans.flatMap(({ answer }) => answer?.step ?? [])
    return {
      segment: tree.add(sequence),
      part,
      parts: sequences.length,
      reward,
      advantages: advantages === null ? [] : learned.map((step) => advantages[step] as number),
    }
  })
}

type Segment = RowOf<'rollout-tree'>['segments'][number]

/** Sequences as a tree of segments: one that follows the same segment as an equal one is stored once. */
class SegmentTree {
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
