import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RolloutGroup } from '../../../shared/core/contracts/rollout.ts'
import type { TokenRecord } from '../../../shared/core/contracts/token-record.ts'
import {
  entropyOf,
  figuresOfGroup,
  meansOfGroups,
  policyRecords,
} from '../../../shared/learn/rollouts/group-figures.ts'
import { call, node, open } from '../../builders/journals.ts'

const at = (second: number) => new Date(second * 1000).toISOString()

function toGroup(
  versions: (string | null)[],
  rewards: (number | null)[] = versions.map(() => 1),
): RolloutGroup {
  const members = versions.map((version, place) => ({
    episode: `ep-000000${place}`,
    reward: rewards[place] ?? null,
    missing: rewards[place] == null ? ('errored' as const) : null,
    detail: null,
    version,
  }))
  const present = rewards.flatMap((reward) => reward ?? [])
  const mean = present.reduce((sum, each) => sum + each, 0) / present.length
  const std = Math.sqrt(present.reduce((sum, each) => sum + (each - mean) ** 2, 0) / present.length)
  return {
    object: 'rollout_group',
    rollout: 'rollout-1',
    index: 0,
    task: 'task-0',
    status: 'complete',
    members,
    versions: [],
    rewards: present.length === 0 ? null : { mean, std },
    flat: new Set(present).size <= 1,
  }
}

const around = { sequence: 1, ended_at: at(100), records: [], version: '0' }

test('the lag counts the announcements between the oldest version of a group and its end', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat({ max: 200 }), { maxLength: 6 }).chain((times) =>
        fc.record({
          times: fc.constant([0, ...times.toSorted((a, b) => a - b)]),
          end: fc.nat({ max: 200 }),
          played: fc.array(fc.nat({ max: times.length }), { minLength: 1, maxLength: 4 }),
        }),
      ),
      ({ times, end, played }) => {
        const policies = times.map((time, place) => ({ version: `v${place}`, announced_at: at(time) }))
        const open = played.filter((place) => (times[place] ?? 0) <= end)
        const { lag } = figuresOfGroup(toGroup(open.map((place) => `v${place}`)), {
          ...around,
          ended_at: at(end),
          policies,
        })
        const newest = times.filter((time) => time <= end).length - 1
        expect(lag).toBe(open.length === 0 ? null : newest - Math.min(...open))
      },
    ),
  )
})

test.each([
  ['the only version', ['0', '0'], undefined, 0],
  ['a version of before the announcements', ['-1', '0'], undefined, null],
  ['a version that was announced again', ['a'], ['a', 'b', 'a'], 0],
  ['no member with a reward', [], undefined, null],
])('the lag of a group of %s', (_, versions, announced, lag) => {
  const policies = announced?.map((version, place) => ({ version, announced_at: at(place) }))
  expect(figuresOfGroup(toGroup(versions), { ...around, ...(policies && { policies }) }).lag).toBe(lag)
})

test('a missing member is outside the figures, and a figure of nothing is null', () => {
  const group = toGroup(['old', '0', '0'], [null, 0, 1])
  expect(figuresOfGroup(group, around)).toMatchObject({ reward: 0.5, variance: 0.25, lag: 0, entropy: null })
  const empty = figuresOfGroup(toGroup(['0'], [null]), around)
  expect(empty).toMatchObject({ reward: null, variance: null, lag: null, entropy: null })
  expect(meansOfGroups([empty])).toEqual({
    means: { reward: null, variance: null, entropy: null, lag: null },
    flat_share: null,
  })
})

test('entropy is the mean of −log p over the known tokens of all answers', () => {
  const answers = [
    { ids: [1, 2], logprobs: [-1, null] },
    { ids: [3], logprobs: null },
  ]
  const records = [{ answers }, { answers: [{ ids: [4], logprobs: [-3] }] }] as TokenRecord[]
  expect(figuresOfGroup(toGroup(['0']), { ...around, records }).entropy).toBe(2)
  expect(Object.is(entropyOf([0, 0]), 0)).toBe(true)
})

test('the records of the policy are those of its calls, without the judges and other roles', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom('policy', 'value', 'verifier', 'reflection'), { maxLength: 8 }),
      async (roles) => {
        const records = roles.map((_, place) => ({ call: `node/0/${place}` })) as TokenRecord[]
        const journal = [
          open(),
          ...roles.flatMap((role, place) => call(`node/0/${place}`, { role })),
          node({ effect: 'node/0/0' }),
        ]
        const found = await policyRecords({ journal: async () => journal, tokens: async () => records })
        expect(found).toEqual(records.filter((_, place) => roles[place] === 'policy'))
      },
    ),
  ))

test('means weigh each group alike, and the share without signal is of groups with a reward', () => {
  const groups = [toGroup(['0'], [1]), toGroup(['0', '0'], [0, 1]), toGroup(['0'], [null])].map((group) =>
    figuresOfGroup(group, around),
  )
  expect(meansOfGroups(groups)).toMatchObject({ means: { reward: 0.75, variance: 0.125 }, flat_share: 0.5 })
})
