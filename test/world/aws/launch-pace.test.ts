import { expect, test } from 'vitest'
import { LaunchPace } from '../../../shared/world/aws/launch-pace.ts'

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
