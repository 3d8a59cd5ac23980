import { describe, expect, it } from 'vitest'
import { isRetriedStatus, retryDelay } from '../../../shared/play/models/retry-policy.ts'

describe('isRetriedStatus', () => {
  it('retries what may pass, and nothing that needs a change', () => {
    const retried = [400, 401, 403, 404, 408, 409, 422, 429, 500, 503, 529].filter((status) =>
      isRetriedStatus(status, null),
    )
    expect(retried).toEqual([408, 409, 429, 500, 503, 529])
  })

  it('obeys x-should-retry', () => {
    expect(isRetriedStatus(500, new Headers({ 'x-should-retry': 'false' }))).toBe(false)
    expect(isRetriedStatus(400, new Headers({ 'x-should-retry': 'true' }))).toBe(true)
  })
})

describe('retryDelay', () => {
  it('doubles from half a second, less up to a quarter, and stops at 20 s', () => {
    for (const [attempt, delay] of [500, 1000, 2000, 4000, 8000, 16_000, 20_000, 20_000].entries()) {
      const waited = retryDelay(attempt, new Headers())
      expect(waited).toBeLessThanOrEqual(delay)
      expect(waited).toBeGreaterThanOrEqual(delay * 0.75)
    }
  })

  it('obeys retry-after-ms before retry-after, in seconds or as a date', () => {
    expect(retryDelay(0, new Headers({ 'retry-after-ms': '1234', 'retry-after': '9' }))).toBe(1234)
    expect(retryDelay(0, new Headers({ 'retry-after': '1.5' }))).toBe(1500)
    const date = new Date(Date.now() + 30_000).toUTCString()
    const waited = retryDelay(0, new Headers({ 'retry-after': date }))
    expect(waited).toBeGreaterThan(28_000)
    expect(waited).toBeLessThanOrEqual(30_000)
  })

  it.each([
    { 'retry-after': '0' },
    { 'retry-after': '0.001' },
    { 'retry-after': '-5' },
    { 'retry-after': new Date(0).toUTCString() },
    { 'retry-after-ms': '0' },
    { 'retry-after-ms': '0', 'retry-after': '0' },
    { 'x-ratelimit-reset-requests': '0s', 'x-ratelimit-reset-tokens': '1ms' },
  ])('never waits less than its own delay: %j', (headers) => {
    for (const [attempt, delay] of [500, 1000, 2000, 4000, 8000, 16_000, 20_000].entries()) {
      expect(retryDelay(attempt, new Headers(headers as Record<string, string>))).toBeGreaterThanOrEqual(
        delay * 0.75,
      )
    }
  })

  it('falls back to its own delay when the header makes no sense', () => {
    for (const value of ['soon', '-5', '']) {
      const waited = retryDelay(0, new Headers({ 'retry-after': value, 'retry-after-ms': 'x' }))
      expect(waited).toBeLessThanOrEqual(500)
      expect(waited).toBeGreaterThanOrEqual(375)
    }
  })
})
