import fc from 'fast-check'
import type { MemoryNote } from '../../shared/core/contracts/memory.ts'
import type { MemoryReader } from '../../shared/core/engine/memories/memory-reader.ts'
import type { PlayOnceOptions } from './play-once.ts'

type Chosen = Pick<PlayOnceOptions, 'method' | 'request'>

const small = (max: number) => fc.integer({ min: 1, max })

const stops = {
  stop_after_invalid: small(3),
  stop_after_repeats: fc.integer({ min: 2, max: 3 }),
}

const valued = {
  value: fc.constantFrom('reward', 'judge', 'debate', 'endpoint'),
  verdicts: small(3),
  rubric: fc.boolean(),
  branching: small(3),
  proposals: small(4),
  parallel: small(3),
  max_steps: small(3),
  ...stops,
}

const puct = {
  ...valued,
  iterations: small(4),
  plan: fc.constantFrom('per-step', 'whole-task'),
  advance_every: fc.option(small(3), { nil: undefined }),
  reuse: fc.boolean(),
  backup: fc.constantFrom('mean', 'max'),
  exploration: fc.constantFrom(0, 0.5, 1),
  child_choice: fc.constantFrom('best', 'sample', 'random'),
  branching_schedule: fc.constantFrom('constant', 'decaying'),
}

const frontier = { ...valued, budget: small(5), max_depth: fc.nat({ max: 2 }) }

/** With every parameter, also those that change nothing. */
const whollyRandom = {
  act: fc.record({ id: fc.constant('act'), ...stops }),
  react: fc.record({ id: fc.constant('react'), max_steps: small(4) }),
  'reflexion, trying again': fc.record({
    id: fc.constant('reflexion'),
    retry: small(3),
    notes: small(2),
    max_steps: small(3),
  }),
  'best-of-n': fc.record({
    id: fc.constant('best-of-n'),
    attempts: small(4),
    agent: fc.constantFrom('act', 'react'),
    value: fc.constantFrom('judge', 'debate', 'endpoint'),
    verdicts: small(3),
    rubric: fc.boolean(),
    parallel: fc.option(small(3), { nil: undefined }),
    max_steps: small(3),
  }),
  'fork-rollouts': fc.record({
    id: fc.constant('fork-rollouts'),
    chains: small(3),
    forks: fc.nat({ max: 3 }),
    fork_by: fc.constantFrom('entropy', 'value-spread'),
    samples: fc.integer({ min: 2, max: 4 }),
    agent: fc.constantFrom('act', 'react'),
    max_steps: small(3),
  }),
  'best-first': fc.record({ id: fc.constant('best-first'), ...frontier }),
  'tree-of-thoughts': fc.record({
    id: fc.constant('tree-of-thoughts'),
    order: fc.constantFrom('breadth', 'depth'),
    ...frontier,
  }),
  'mcts by rollouts': fc.record({
    id: fc.constant('mcts'),
    iterations: small(4),
    samples: small(3),
    max_depth: fc.nat({ max: 3 }),
    parallel: small(3),
  }),
  'mcts by values': fc.record({ id: fc.constant('mcts'), ...puct }),
  rmcts: fc.record({
    id: fc.constant('rmcts'),
    ...puct,
    policy_threshold: fc.constantFrom(0, 0.1),
    value_threshold: fc.constantFrom(0, 0.5),
    reflect_policy: fc.boolean(),
    reflect_value: fc.boolean(),
    success: fc.constantFrom('estimated', 'environment'),
    policy_likeness: fc.constantFrom(-1, 0.25),
    value_likeness: fc.constantFrom(-1, 0.25),
  }),
} satisfies Record<string, fc.Arbitrary<{ id: string; [parameter: string]: unknown }>>

/** A method with what its run says beside it. */
export function randomRun(method: fc.Arbitrary<Chosen['method']>): fc.Arbitrary<Chosen> {
  const roles = fc.constantFrom({}, { embedding: { id: 'embedding' } })
  return fc.record({ method, request: fc.record({ roles }) })
}

type Names = keyof typeof whollyRandom

/** Small episodes of every method, by its name. */
export const randomMethods = Object.fromEntries(
  Object.entries(whollyRandom).map(([name, method]) => [
    name,
    (method as fc.Arbitrary<Chosen['method']>).map(withoutIdle),
  ]),
) as Record<Names, fc.Arbitrary<Chosen['method']>>

/** The method without what a run may not say, because it would change nothing. */
export function withoutIdle(method: Chosen['method']): Chosen['method'] {
  const { advance_every, reuse, verdicts, ...rest } = method
  const { plan, value } = method
  return {
    ...rest,
    ...(verdicts !== undefined && (value === 'judge' || value === 'debate') && { verdicts }),
    ...(advance_every !== undefined && plan === 'whole-task' && { advance_every }),
    ...(reuse !== undefined && plan === 'per-step' && { reuse }),
  }
}

/** Notes of both sides, as an earlier run could have left them. */
export const someMemories: MemoryReader = {
  notesOf: async () => (['policy', 'value', 'policy'] as const).map(toNote),
  actionsOf: async () => [],
  learned: async () => ({ notes: [], actions: [] }),
}

function toNote(side: MemoryNote['side'], place: number): MemoryNote {
  return {
    id: `ep-0000001/${place}`,
    side,
    group: null,
    episode: 'ep-0000001',
    task: 'task',
    objective: 'any',
    observation: `saw ${place}`,
    action: 'a1',
    note: `Note ${place}.`,
    surprise: 0.5,
    embedding: null,
  }
}
