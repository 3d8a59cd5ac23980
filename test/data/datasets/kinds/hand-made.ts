import fc from 'fast-check'
import type { DatasetRow } from '../../../../shared/core/contracts/dataset-row.ts'
import type { LeftOutReason } from '../../../../shared/core/contracts/left-out-reasons.ts'
import type { Tree } from '../../../../shared/core/contracts/tree.ts'
import { seededRandom } from '../../../../shared/core/random/seeded-random.ts'
import type { Attempt, TaskGroup } from '../../../../shared/data/datasets/attempt.ts'
import type { DatasetKind, Finding, FoundRow, KindScope } from '../../../../shared/data/datasets/kind.ts'
import { attemptOf, groupOf } from '../../../builders/attempts.ts'
import { picture, rootNode, treeNode, treeOf } from '../../../builders/trees.ts'

export const scopeOf = (seed = 0): KindScope => ({ random: (key) => seededRandom(seed, key) })

export interface Findings<Row extends DatasetRow> {
  found: FoundRow<Row>[]
  rows: Row[]
  /** Names of attempts, with why they are out. */
  out: Record<string, LeftOutReason>
  all: Finding<Row>[]
}

/** All that a kind says of a group, its parameters given as a user would. */
export async function findAll<Parameters extends object, Row extends DatasetRow>(
  kind: DatasetKind<Parameters, Row>,
  group: TaskGroup | readonly Attempt[],
  parameters: object = {},
  scope = scopeOf(),
): Promise<Findings<Row>> {
  const all: Finding<Row>[] = []
  const whole = 'attempts' in group ? group : groupOf(group)
  for await (const finding of kind.rows(whole, kind.parameters.parse(parameters), scope)) all.push(finding)
  const found = all.flatMap((finding) => ('row' in finding ? [finding] : []))
  const out = all.flatMap((finding) =>
    'row' in finding ? [] : [[nameOf(finding.attempt), finding.left_out]],
  )
  return { found, rows: found.map(({ row }) => row), out: Object.fromEntries(out), all }
}

export const nameOf = ({ source, episode }: Attempt) => `${source}/${episode}`

/** Trees of any shape, with values, ends, silent steps and pictures in them. */
export const anyTree: fc.Arbitrary<Tree> = fc
  .array(
    fc.record({
      parent: fc.nat(),
      message: fc.oneof(
        { weight: 9, arbitrary: fc.constantFrom('go', 'take', 'craft') },
        { weight: 1, arbitrary: fc.constant(null) },
      ),
      seesPicture: fc.nat(9).map((number) => number === 0),
      reward: fc.constantFrom(0, 0.25, 0.5, 1),
      terminal: fc.boolean(),
      visits: fc.nat(3),
      value: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
    { minLength: 1, maxLength: 24 },
  )
  .chain((parts) => {
    const nodes = parts.map(({ parent, seesPicture, visits, value, ...rest }, place) =>
      treeNode(parent % (place + 1), `n${place}`, {
        ...rest,
        visits,
        value: visits === 0 ? 0 : value,
        ...(seesPicture && { observation: picture }),
      }),
    )
    return fc.nat(nodes.length).map((best) => treeOf(best, [rootNode, ...nodes]))
  })

/** Attempts as they come: a few of them without a reward, some stopped by a limit. */
export const anyAttempts = (source = 'run-1'): fc.Arbitrary<Attempt[]> =>
  fc
    .array(fc.record({ tree: anyTree, isStopped: fc.nat(7).map((number) => number === 0) }), { maxLength: 6 })
    .map((parts) =>
      parts.map(({ tree, isStopped }, place) =>
        attemptOf(tree, {
          source,
          episode: `e${place}`,
          ...(isStopped && { reward: null, success: false, status: 'limited' as const }),
        }),
      ),
    )
