import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createPaced } from '../../../web/service/follow-run.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('the first wish is met at once, and those that follow together after the pause', () => {
  const done: number[] = []
  const paced = createPaced(() => done.push(performance.now()))
  const began = performance.now()
  for (let wish = 0; wish < 50; wish += 1) {
    paced.wish(2000)
    vi.advanceTimersByTime(100)
  }
  vi.advanceTimersByTime(10_000)
  expect(done.map((at) => at - began)).toEqual([0, 2000, 4000, 6000])
})

test('what is wished for can be had now, once', () => {
  const act = vi.fn()
  const paced = createPaced(act)
  paced.flush()
  expect(act).not.toHaveBeenCalled()
  paced.wish(2000)
  paced.flush()
  paced.flush()
  vi.advanceTimersByTime(5000)
  expect(act).toHaveBeenCalledTimes(1)
})

test('what was wished for is forgotten once it is stopped', () => {
  const act = vi.fn()
  const paced = createPaced(act)
  paced.wish(2000)
  paced.stop()
  vi.advanceTimersByTime(5000)
  expect(act).not.toHaveBeenCalled()
})
