import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Message, Observation } from '../../../../shared/core/contracts/message.ts'
import type { Tree } from '../../../../shared/core/contracts/tree.ts'
import { messagesOf } from '../../../../shared/data/datasets/build/settle-pictures.ts'
import type { DatasetKind, KindScope } from '../../../../shared/data/datasets/kind.ts'
import { preference } from '../../../../shared/data/datasets/kinds/preference.ts'
import { prompts } from '../../../../shared/data/datasets/kinds/prompts.ts'
import { revision } from '../../../../shared/data/datasets/kinds/revision/revision.ts'
import { sft } from '../../../../shared/data/datasets/kinds/sft.ts'
import { stepPreference } from '../../../../shared/data/datasets/kinds/step-preference.ts'
import { unpaired } from '../../../../shared/data/datasets/kinds/unpaired.ts'
import { attemptOf, groupOf } from '../../../builders/attempts.ts'
import { rootNode, treeNode, treeOf } from '../../../builders/trees.ts'
import { findAll, scopeOf } from './hand-made.ts'

/** A tree in which every observation shows pictures, each of them once. */
const anyPicturedTree: fc.Arbitrary<Tree> = fc
  .array(fc.record({ parent: fc.nat(), pictures: fc.nat(2), reward: fc.constantFrom(0, 0.5, 1) }), {
    minLength: 2,
    maxLength: 12,
  })
  .chain((parts) => {
    const look = (node: number, count: number): Observation => [
      { type: 'text', text: `Page ${node}.` },
      ...Array.from({ length: count }, (_, place) => ({
        type: 'blob' as const,
        sha256: `${node.toString(16)}${place}`.padEnd(64, '0'),
        media_type: 'image/png',
      })),
    ]
    const nodes = parts.map(({ parent, pictures, reward }, place) =>
      treeNode(parent % (place + 1), `n${place + 1}`, {
        observation: look(place + 1, pictures),
        reward,
        value: reward,
        visits: 1,
        done: true,
      }),
    )
    const root = { ...rootNode, observation: look(0, 1) }
    return fc.integer({ min: 1, max: nodes.length }).map((best) => treeOf(best, [root, ...nodes]))
  })

const shownIn = (messages: readonly Message[]) =>
  messages.flatMap(({ pictures = [] }) => pictures.map(({ sha256 }) => sha256))

const kinds: [DatasetKind, object][] = [
  [sft, { paths: 'ends', min_reward: 0 }],
  [stepPreference, { pairs: 'all', margin: 0 }],
  [unpaired, { level: 'step', paths: 'ends' }],
  [revision, { first_error: 'end', alpha: 0.4 }],
  [prompts, {}],
]
const show: KindScope = { ...scopeOf(), pictures: 'show' }

describe.each(kinds.map(([kind, parameters]) => [kind.id, kind, parameters] as const))(
  '%s',
  (_, kind, parameters) => {
    test('shows before each answer that is learned the newest pictures of the same conversation, and no others', async () => {
      await fc.assert(
        fc.asyncProperty(anyPicturedTree, fc.integer({ min: 1, max: 5 }), async (tree, most) => {
          const group = groupOf([attemptOf(tree, { max_pictures: most })])
          const { rows } = await findAll(kind, group, parameters, show)
          const { rows: whole } = await findAll(
            kind,
            groupOf([attemptOf(tree, { max_pictures: 1000 })]),
            parameters,
            show,
          )
          expect(rows.map((row) => messagesOf(row).map(({ content }) => content))).toEqual(
            whole.map((row) => messagesOf(row).map(({ content }) => content)),
          )
          for (const [index, row] of rows.entries()) {
            const all = shownIn(messagesOf(whole[index] ?? row))
            expect(shownIn(messagesOf(row))).toEqual(all.slice(-most))
            if (row.type !== 'conversation') continue
            expect(row.messages.map(({ weight }) => weight).filter((weight) => weight === 1)).toHaveLength(1)
            expect(row.messages.at(-1)?.weight).toBe(1)
          }
        }),
      )
    })

    test('gives no row of paths with pictures where the request does not say what becomes of them', async () => {
      await fc.assert(
        fc.asyncProperty(anyPicturedTree, async (tree) => {
          const { rows } = await findAll(kind, groupOf([attemptOf(tree)]), parameters)
          expect(rows).toEqual([])
        }),
        { numRuns: 20 },
      )
    })

    test('gives texts where prompts showed none, whatever the environment did', async () => {
      await fc.assert(
        fc.asyncProperty(anyPicturedTree, async (tree) => {
          const { rows } = await findAll(kind, groupOf([attemptOf(tree, { max_pictures: 0 })]), parameters)
          expect(rows.flatMap((row) => shownIn(messagesOf(row)))).toEqual([])
        }),
        { numRuns: 20 },
      )
    })
  },
)

test('a pair of trajectories is left out where a prompt of either showed fewer pictures than its path has', async () => {
  await fc.assert(
    fc.asyncProperty(anyPicturedTree, fc.integer({ min: 1, max: 4 }), async (tree, most) => {
      const attempts = [1, 0].map((reward) =>
        attemptOf(tree, { episode: `e${reward}`, reward, max_pictures: most }),
      )
      const { found, out } = await findAll(preference, attempts, {}, show)
      const reasons = new Set(Object.values(out))
      for (const { row } of found) {
        for (const side of [row.chosen, row.rejected])
          expect(shownIn([...row.prompt, ...side.slice(0, -1)]).length).toBeLessThanOrEqual(most)
      }
      expect(found.length > 0 || reasons.has('pictures_cut') || reasons.has('no_pair')).toBe(true)
    }),
  )
})
