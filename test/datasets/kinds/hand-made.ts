import fc from 'fast-check'
import type { DatasetRow } from '../../../shared/contracts/dataset-row.ts'
import type { LeftOutReason } from '../../../shared/contracts/left-out-reasons.ts'
import type { Message } from '../../../shared/contracts/message.ts'
import type { Tree, TreeNode } from '../../../shared/contracts/tree.ts'
import type { Attempt, TaskGroup } from '../../../shared/datasets/attempt.ts'
import type { DatasetKind, Finding, FoundRow, KindScope } from '../../../shared/datasets/kind.ts'
import { seededRandom } from '../../../shared/random/seeded-random.ts'

export const head: Message[] = [
  { role: 'system', content: 'You craft items.' },
  { role: 'user', content: 'Goal: a stick.' },
  { role: 'assistant', content: 'OK' },
  { role: 'user', content: 'You see a log.' },
]

export const says = (content: string): Message => ({ role: 'assistant', content })
export const sees = (content: string): Message => ({ role: 'user', content })

/** A node after an action; what is not given is what most tests do not look at. Without visits it has no value. */
export function node(parent: number | null, name: string, rest: Partial<TreeNode> = {}): TreeNode {
  return {
    parent,
    depth: 0,
    action: parent === null ? null : name,
    message: parent === null ? null : `do ${name}`,
    observation: [{ type: 'text', text: `saw ${name}` }],
    reward: 0,
    terminal: false,
    done: false,
    disaster: false,
    visits: 0,
    value: 0,
    prior: 1,
    state_hash: null,
    ...rest,
  }
}

/** A node that was visited, with what came back through it on average. */
export const valued = (parent: number, name: string, value: number, rest: Partial<TreeNode> = {}) =>
  node(parent, name, { visits: 1, value, ...rest })

export const root = node(null, 'root', { visits: 1 })
export const picture = [{ type: 'blob' as const, sha256: 'f'.repeat(64), media_type: 'image/png' }]

export function treeOf(best: number, nodes: TreeNode[], messages: Message[] = head): Tree {
  return {
    schema_version: 'espalier-tree-v1',
    environment: 'textcraft',
    task: 'stick',
    method: 'mcts',
    messages,
    best,
    nodes,
  }
}

/** A path of the named actions, at whose end the reward stands. */
export function pathOf(actions: readonly string[], reward = 1, messages: Message[] = head): Tree {
  const nodes = [
    root,
    ...actions.map((action, place) =>
      valued(place, action, reward, place === actions.length - 1 ? { reward, done: true } : {}),
    ),
  ]
  return treeOf(nodes.length - 1, nodes, messages)
}

export function attemptOf(tree: Tree, rest: Partial<Attempt> = {}): Attempt {
  const reward = tree.nodes[tree.best]?.reward ?? 0
  const success = rest.success ?? (rest.reward === undefined ? reward : (rest.reward ?? 0)) >= 1
  return {
    source: 'run-1',
    episode: 'e1',
    attempt: 1,
    environment: tree.environment,
    data: null,
    task: tree.task,
    task_split: 'train',
    method: tree.method,
    model: 'simulated/gardener',
    status: success ? 'succeeded' : 'failed',
    reward,
    success,
    seed: 0,
    tree: async () => tree,
    journal: async () => [],
    annotation: async () => null,
    ...rest,
  }
}

/** Attempts at one task, named in their order. */
export function attemptsOf(trees: readonly Tree[], source = 'run-1'): Attempt[] {
  return trees.map((tree, place) => attemptOf(tree, { source, episode: `e${place}` }))
}

export function groupOf(attempts: readonly Attempt[], experts: readonly Attempt[] = []): TaskGroup {
  return { environment: 'textcraft', data: null, task: 'stick', attempts, experts }
}

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
      node(parent % (place + 1), `n${place}`, {
        ...rest,
        visits,
        value: visits === 0 ? 0 : value,
        ...(seesPicture && { observation: picture }),
      }),
    )
    return fc.nat(nodes.length).map((best) => treeOf(best, [root, ...nodes]))
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
