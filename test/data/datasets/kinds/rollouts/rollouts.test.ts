import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { datasetRowSchema, type RowOf } from '../../../../../shared/core/contracts/dataset-row.ts'
import { leftOutReasons } from '../../../../../shared/core/contracts/left-out-reasons.ts'
import type { TokenRecord } from '../../../../../shared/core/contracts/token-record.ts'
import type { Attempt } from '../../../../../shared/data/datasets/attempt.ts'
import { findMaskFault } from '../../../../../shared/data/datasets/gates/find-mask-fault.ts'
import { rolloutTrees } from '../../../../../shared/data/datasets/kinds/rollouts/rollout-trees.ts'
import { tokenRollouts } from '../../../../../shared/data/datasets/kinds/rollouts/rollouts.ts'
import { SearchTree } from '../../../../../shared/play/search/tree.ts'
import type { TreeEntry } from '../../../../../shared/play/search/tree-entry.ts'
import { attemptOf, groupOf } from '../../../../builders/attempts.ts'
import { findAll } from '../hand-made.ts'

interface Grown {
  /** Parents of the nodes after the root. */
  parents: number[]
  rewards: number[]
  /** Nodes before whose prompt the server tokenized the past in another way. */
  drifted: number[]
}

const anyGrown: fc.Arbitrary<Grown> = fc
  .array(fc.record({ parent: fc.nat(), reward: fc.constantFrom(0, 0.5, 1), drifts: fc.nat(9) }), {
    minLength: 1,
    maxLength: 14,
  })
  .map((parts) => ({
    parents: parts.map(({ parent }, place) => parent % (place + 1)),
    rewards: parts.map(({ reward }) => reward),
    drifted: parts.flatMap(({ drifts }, place) => (drifts === 0 ? [place + 1] : [])),
  }))

/** An attempt whose nodes are answers of one call at each parent, in tokens made up from the positions. */
function grown({ drifted, parents, rewards }: Grown, rest: Partial<Attempt> = {}): Attempt {
  const ends = new Set(rewards.map((_, place) => place + 1))
  for (const parent of parents) ends.delete(parent)
  const choices = new Map<number, number>()
  const entries: TreeEntry[] = [open]
  const answers = parents.map((parent, place) => {
    const choice = choices.get(parent) ?? 0
    choices.set(parent, choice + 1)
    const effect = `node/${parent}/proposal/choice/${choice}`
    entries.push(
      nodeEntry(parent, effect, ends.has(place + 1) ? (rewards[place] as number) : 0, ends.has(place + 1)),
    )
    return { parent, node: place + 1, ids: [100 + place, 200 + place] }
  })
  const before = (node: number): number[] => {
    if (node === 0) return [1, 2, 3]
    const { ids, parent } = answers[node - 1] as (typeof answers)[number]
    return [...promptAt(parent), ...ids]
  }
  // What the environment says after a node is one token.
  const promptAt = (node: number): number[] => {
    const past = node === 0 ? before(0) : [...before(node), 50 + node]
    return drifted.includes(node) && node !== 0 ? [9, ...past] : past
  }
  const records = [...choices.keys()].map((node): TokenRecord => {
    const children = answers.filter(({ parent }) => parent === node)
    return {
      call: `node/${node}/proposal`,
      model: 'mine/small',
      version: 'w1',
      source: 'vllm',
      prompting: 'chat',
      sampler: { temperature: 1 },
      prompt_ids: promptAt(node),
      answers: children.map(({ ids }) => ({ ids, logprobs: ids.map((id) => -id / 100) })),
      warnings: [],
    }
  })
  const journal = entries.map((entry) => ({ entry }))
  const tree = SearchTree.fold(entries)?.toTree()
  if (tree === undefined) throw new Error('Nothing was grown.')
  return attemptOf(tree, { journal: async () => journal as never, tokens: async () => records, ...rest })
}

const open: TreeEntry = {
  open: {
    environment: 'textcraft',
    task: 'stick',
    method: 'mcts',
    answer: 'best',
    messages: [{ role: 'user', content: 'Goal: a stick.' }],
    observation: [],
    state_hash: null,
    success_threshold: 1,
  },
}

function nodeEntry(parent: number, effect: string, reward: number, done: boolean): TreeEntry {
  const facts = {
    terminal: done,
    done,
    disaster: false,
    valid: true,
    progress: 0,
    prior: 1,
    state_hash: null,
  }
  return { node: { parent, action: 'go', message: 'go', observation: [], reward, effect, ...facts } }
}

const group = (all: readonly Grown[]) =>
  groupOf(all.map((each, place) => grown(each, { episode: `e${place}` })))
const groups = fc.array(anyGrown, { minLength: 1, maxLength: 4 }).map(group)
const kept = { flat: 'keep' }

/** All ids of a row, and those of them that are the agent's. */
const whole = ({ completion_ids, prompt_ids }: RowOf<'rollout'>) => [...prompt_ids, ...completion_ids]

test('rows are the sequences that were played, and their masks cover the agent’s tokens alone', async () => {
  await fc.assert(
    fc.asyncProperty(groups, async (given) => {
      const { found } = await findAll(tokenRollouts, given, kept)
      for (const { row, origin } of found) {
        expect(datasetRowSchema.parse(row)).toEqual(row)
        expect(findMaskFault(row)).toBeNull()
        const own = row.completion_ids.filter((_, place) => row.completion_mask[place] === 1)
        expect(own.every((id) => id >= 100)).toBe(true)
        expect(
          row.prompt_ids.concat(row.completion_ids.filter((_, at) => row.completion_mask[at] === 0)),
        ).not.toEqual([])
        for (const [place, logprob] of row.logprobs.entries()) {
          const isOwn = row.completion_mask[place] === 1
          expect(logprob).toBe(isOwn ? -(row.completion_ids[place] as number) / 100 : null)
        }
        const records = await origin.attempt.tokens()
        const sequences = records.flatMap(({ answers, prompt_ids }) =>
          answers.map(({ ids }) => JSON.stringify([...(prompt_ids ?? []), ...(ids ?? [])])),
        )
        expect(sequences).toContain(JSON.stringify(whole(row)))
      }
    }),
  )
})

test('every turn of a branch is learned once, in the parts that a changed prompt divides it into', async () => {
  await fc.assert(
    fc.asyncProperty(groups, async (given) => {
      const { found } = await findAll(tokenRollouts, given, kept)
      const branches = Map.groupBy(found, ({ origin }) =>
        JSON.stringify([origin.attempt.episode, origin.node_ids]),
      )
      for (const parts of branches.values()) {
        expect(parts.map(({ row }) => row.part)).toEqual([...parts.keys()])
        expect(new Set(parts.map(({ row }) => row.parts))).toEqual(new Set([parts.length]))
        const own = parts.flatMap(({ row }) =>
          row.completion_ids.filter((_, at) => row.completion_mask[at] === 1),
        )
        const nodes = parts[0]?.origin.node_ids.slice(1) ?? []
        expect(own).toEqual(nodes.flatMap((node) => [99 + node, 199 + node]))
      }
    }),
  )
})

test('a prefix tree holds the rows of its branches, each token once', async () => {
  await fc.assert(
    fc.asyncProperty(groups, async (given) => {
      const flat = await findAll(tokenRollouts, given, kept)
      const trees = await findAll(rolloutTrees, given, kept)
      expect(trees.found.flatMap(({ row }) => unfolded(row))).toEqual(
        flat.rows.map((row) => ({
          ids: whole(row),
          mask: [...row.prompt_ids.map(() => 0), ...row.completion_mask],
          reward: row.reward,
          advantages: row.advantages,
        })),
      )
      for (const { row } of trees.found) {
        expect(datasetRowSchema.parse(row)).toEqual(row)
        const keys = row.segments.map(({ ids, learned, parent }) => JSON.stringify([parent, learned, ids]))
        expect(new Set(keys).size).toBe(keys.length)
      }
      const flatTokens = trees.rows.reduce((sum, row) => sum + row.flat_tokens, 0)
      expect(flatTokens).toBe(flat.rows.reduce((sum, row) => sum + whole(row).length, 0))
    }),
  )
})

/** The branches of a tree as flat rows. */
function unfolded({ branches, segments }: RowOf<'rollout-tree'>) {
  return branches.map(({ advantages, reward, segment }) => {
    const path: (typeof segments)[number][] = []
    for (let at: number | null = segment; at !== null; at = path[0]?.parent ?? null) {
      path.unshift(segments[at] as (typeof segments)[number])
    }
    const credit = advantages?.values()
    const [, ...answers] = path
    const ofTokens = answers.flatMap(({ ids, learned }) => {
      const value = learned ? (credit?.next().value ?? 0) : 0
      return ids.map(() => value)
    })
    return {
      ids: path.flatMap(({ ids }) => ids),
      mask: path.flatMap(({ ids, learned }) => ids.map(() => (learned ? 1 : 0))),
      reward,
      advantages: advantages && ofTokens,
    }
  })
}

describe('a group', () => {
  const won = grown({ parents: [0, 1], rewards: [0, 1], drifted: [] }, { episode: 'e0' })
  const lost = grown({ parents: [0, 1], rewards: [0, 0], drifted: [] }, { episode: 'e1' })

  test('leaves out episodes that a limit of money or time ended, and counts the others alone', async () => {
    const cut = grown(
      { parents: [0], rewards: [0], drifted: [] },
      { episode: 'e2', status: 'limited', reward: null, success: false },
    )
    const { out, rows } = await findAll(tokenRollouts, [won, lost, cut], { advantage: 'rloo' })
    expect(out).toEqual({ 'run-1/e2': 'no_reward' })
    expect(rows.map(({ advantages, members }) => [members, advantages?.[0]])).toEqual([
      [2, 1],
      [2, -1],
    ])
  })

  test('of one reward is left out, or kept with zeros', async () => {
    const twins = [won, { ...won, episode: 'e1' }]
    expect((await findAll(tokenRollouts, twins)).out).toEqual({ 'run-1/e0': 'flat', 'run-1/e1': 'flat' })
    const { rows } = await findAll(tokenRollouts, twins, kept)
    expect(rows.flatMap(({ advantages }) => advantages)).toEqual(Array(10).fill(0))
    expect(
      (await findAll(tokenRollouts, twins, { advantage: 'none' })).rows.map((row) => row.advantages),
    ).toEqual([null, null])
  })

  test.each(['grpo', 'rloo', 'tree-grpo', 'treerl', 'gigpo'])(
    'of one reward whose sum is rounded is flat by %s',
    async (advantage) => {
      const even = [0, 1, 2].map((place) =>
        grown({ parents: [0, 0], rewards: [0.7, 0.7], drifted: [] }, { episode: `e${place}` }),
      )
      expect(new Set(Object.values((await findAll(tokenRollouts, even, { advantage })).out))).toEqual(
        new Set(['flat']),
      )
    },
  )

  test('counts the reward of an episode without tokens, and says that it gives no row', async () => {
    const bare = { ...lost, tokens: async () => [] }
    const { out, rows } = await findAll(tokenRollouts, [won, bare], { advantage: 'rloo' })
    expect(out).toEqual({ 'run-1/e1': 'no_tokens' })
    expect(leftOutReasons.no_tokens).toContain('"record": "tokens"')
    expect(rows).toMatchObject([{ members: 2, advantages: [1, 1, 0, 1, 1] }])
  })

  test('counts an episode of which some branches have no tokens, beside the rows of its others', async () => {
    const forked = grown({ parents: [0, 0, 1, 2], rewards: [0, 0, 1, 0], drifted: [] })
    const partly = { ...forked, tokens: async () => (await forked.tokens()).slice(0, 2) }
    for (const kind of [tokenRollouts, rolloutTrees]) {
      const { all, out, found } = await findAll<object, RowOf<'rollout'> | RowOf<'rollout-tree'>>(
        kind,
        [partly],
        kept,
      )
      expect(out).toEqual({ 'run-1/e1': 'no_tokens' })
      expect(found).toHaveLength(1)
      expect(all).toHaveLength(2)
    }
  })

  test('is refused values that its trees lack', async () => {
    const { out } = await findAll(tokenRollouts, [won, lost], { advantage: 'ppo' })
    expect(out).toEqual({ 'run-1/e0': 'no_values', 'run-1/e1': 'no_values' })
  })
})
