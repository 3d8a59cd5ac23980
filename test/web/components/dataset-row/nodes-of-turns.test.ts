import { expect, test } from 'vitest'
import type { LineageRow, Origin } from '../../../../shared/core/contracts/dataset.ts'
import type { ShownPart } from '../../../../shared/core/contracts/shown-row.ts'
import { nodesOfTurns } from '../../../../web/components/dataset-row/row-parts.tsx'

const origin = (node_ids: number[]): Origin => ({
  source: 'run-1',
  episode: 'ep-0000001',
  attempt: 1,
  method: 'mcts',
  model: 'simulated/simulated',
  reward: 1,
  node_ids,
})

const lineage = (
  kind: LineageRow['kind'],
  node_ids: number[],
  other: number[] | null = null,
): LineageRow => ({
  row: 0,
  kind,
  environment: 'textcraft',
  data: null,
  task: 't',
  task_split: 'train',
  tokens: 1,
  sha256: 'ab',
  origin: origin(node_ids),
  other: other === null ? null : origin(other),
  schema_version: 'espalier-lineage-v2',
})

/** `u`: the environment, `a`: the model, `s`: the system, `t`: a text. */
const part = (name: ShownPart['name'], roles: string): ShownPart => ({
  name,
  turns: [...roles].map((letter) => ({
    role: ({ u: 'user', a: 'assistant', s: 'system', t: 'text' } as const)[letter] ?? 'user',
    content: letter,
    learned: null,
  })),
})

const nodes = (parts: ShownPart[], row: LineageRow) =>
  nodesOfTurns(parts, row).map((turns) => turns.map((turn) => turn?.node ?? null))

test('the last answers of a conversation are those that were played; an OK before them has no node', () => {
  expect(nodes([part('messages', 'suauaua')], lineage('sft', [0, 3, 7]))).toEqual([
    [null, null, null, null, 3, null, 7],
  ])
})

test('the answers within a prompt are the path that both sides go on from', () => {
  const parts = [part('prompt', 'suaua'), part('chosen', 'a'), part('rejected', 'a')]
  expect(nodes(parts, lineage('step-preference', [0, 1, 2, 5], [0, 1, 2, 6]))).toEqual([
    [null, null, 1, null, 2],
    [5],
    [6],
  ])
})

test('each side of two trajectories has its own path', () => {
  const parts = [part('prompt', 'uau'), part('chosen', 'aua'), part('rejected', 'auaua')]
  expect(nodes(parts, lineage('preference', [0, 1, 2], [0, 4, 5, 6]))).toEqual([
    [null, null, null],
    [1, null, 2],
    [4, null, 5, null, 6],
  ])
})

test('steps are one node each, however their prompt is rendered', () => {
  const row = lineage('process-reward', [0, 2, 9])
  expect(nodes([part('prompt', 't'), part('steps', 'aa')], row)).toEqual([[null], [2, 9]])
  expect(nodes([part('prompt', 'suau'), part('steps', 'aa')], row)[1]).toEqual([2, 9])
})

test('a linearized search names its turns without a root', () => {
  expect(nodes([part('prompt', 'suau'), part('completion', 'a')], lineage('exploration', [4, 2]))).toEqual([
    [null, null, 4, null],
    [2],
  ])
})

test('revisions, and prompts alone, lead nowhere turn by turn', () => {
  expect(nodes([part('messages', 'uaua')], lineage('revision', [0, 1, 2]))).toEqual([
    [null, null, null, null],
  ])
  expect(nodes([part('prompt', 'su')], lineage('prompts', [0]))).toEqual([[null, null]])
})
