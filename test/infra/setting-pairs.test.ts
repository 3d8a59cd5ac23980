import { expect, test } from 'vitest'
import { pairwise } from '../../infra/lint-template/pairwise.ts'
import { settingFactors, settingPairs } from '../../infra/lint-template/setting-pairs.ts'

const holds = (settings: object, values: object) =>
  Object.entries(values).every(([name, value]) => settings[name as keyof typeof settings] === value)

test('every two values meet that do not exclude each other, in few stages', () => {
  const stages = settingPairs()
  expect(stages.length).toBeLessThanOrEqual(14)
  const missing = settingFactors.flatMap((values, index) =>
    values.flatMap((one) =>
      settingFactors
        .slice(index + 1)
        .flat()
        .filter((other) => !stages.some((stage) => holds(stage, one) && holds(stage, other)))
        .map((other) => ({ ...one, ...other })),
    ),
  )
  // Workers need the network of hosts; without hosts there is none.
  expect(missing.filter(({ hosts, maxWorkers }) => !(hosts === 'false' && maxWorkers))).toEqual([])
  expect(missing).toHaveLength(2)
})

test('values that exclude each other never meet', () => {
  const factors = [
    [{ a: '1' }, { a: '2' }],
    [{ b: '1' }, { b: '2' }],
    [{ c: '1' }, { c: '2' }],
  ]
  const stages = pairwise(factors, ({ a, b }) => !(a === '1' && b === '1'))
  expect(stages.some(({ a, b }) => a === '1' && b === '1')).toBe(false)
  for (const [one, other] of [
    [{ a: '1' }, { b: '2' }],
    [{ a: '2' }, { c: '1' }],
    [{ b: '1' }, { c: '2' }],
  ]) {
    expect(stages.some((stage) => holds(stage, one ?? {}) && holds(stage, other ?? {}))).toBe(true)
  }
})
