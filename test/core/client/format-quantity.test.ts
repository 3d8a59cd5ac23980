import { describe, expect, it } from 'vitest'
import {
  formatBytes,
  formatCount,
  formatDifference,
  formatDuration,
  formatEstimate,
  formatMoney,
} from '../../../shared/core/client/format-quantity.ts'

const estimate = (mean: number | null, lower?: number, upper?: number) => ({
  mean,
  stderr: null,
  ci:
    lower === undefined || upper === undefined
      ? null
      : { lower, upper, level: 0.95 as const, method: 'wilson' },
  count: 20,
  tasks: 20,
})

describe('numbers for people', () => {
  it.each([
    [0, '$0'],
    [0.00001, '<$0.0001'],
    [0.03124, '$0.0312'],
    [1.5, '$1.50'],
    [12345.678, '$12,345.68'],
    [null, 'no price'],
  ])('money %s is %s', (dollars, text) => expect(formatMoney(dollars)).toBe(text))

  it.each([
    [0, '0'],
    [9310, '9,310'],
    [48_210, '48.2 k'],
    [999_949, '999.9 k'],
    [999_950, '1.0 M'],
    [1_234_567, '1.2 M'],
    [3_100_000_000, '3.1 G'],
  ])('a count of %s is %s', (count, text) => expect(formatCount(count)).toBe(text))

  it.each([
    [812, '812 B'],
    [1000, '1.0 kB'],
    [3_400_000, '3.4 MB'],
    [999_999, '1.0 MB'],
  ])('%s bytes are %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text))

  it.each([
    [0.4, '0 s'],
    [59.6, '1 min 0 s'],
    [200, '3 min 20 s'],
    [7500, '2 h 5 min'],
    [7199, '2 h 0 min'],
  ])('%s seconds are %s', (seconds, text) => expect(formatDuration(seconds)).toBe(text))

  it('shows an estimate with its interval, and a difference with its sign', () => {
    expect(formatEstimate(estimate(0.62, 0.49, 0.74))).toBe('0.62 [0.49, 0.74]')
    expect(formatEstimate(estimate(1))).toBe('1.00')
    expect(formatEstimate(estimate(null))).toBe('–')
    expect(formatDifference(estimate(0.21, 0.05, 0.37))).toBe('+0.21 [0.05, 0.37]')
    expect(formatDifference(estimate(-0.1, -0.2, 0))).toBe('-0.10 [-0.20, 0.00]')
  })
})
