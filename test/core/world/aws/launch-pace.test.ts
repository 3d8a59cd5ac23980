import { expect, test } from 'vitest'
import { LaunchPace } from '../../../../shared/core/world/aws/aws-hosts.ts'

test('no second lets more through than it may, however they come', async () => {
  let now = 0
  const passed: number[] = []
  const clock = {
    now: () => now,
    sleep: async (milliseconds: number) => {
      passed.push(now + milliseconds)
    },
  }
  const pace = new LaunchPace(clock, 20)
  for (let index = 0; index < 50; index += 1) {
    const before = passed.length
    await pace.turn()
    if (passed.length === before) passed.push(now)
    now += index % 3
  }
  for (const [index, at] of passed.entries()) {
    expect(passed.filter((other) => other >= at && other < at + 1000).length).toBeLessThanOrEqual(20)
    expect(at).toBeGreaterThanOrEqual(passed[index - 1] ?? 0)
  }
})

test('a clock that is set back makes no caller wait for longer', async () => {
  let now = 3_600_000
  const slept: number[] = []
  const clock = {
    now: () => now,
    sleep: async (milliseconds: number) => {
      slept.push(milliseconds)
    },
  }
  const pace = new LaunchPace(clock, 20)
  await pace.turn()
  now = 0
  for (let index = 0; index < 3; index += 1) await pace.turn()
  expect(slept).toEqual([50, 100, 150])
})
