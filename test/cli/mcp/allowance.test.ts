import { describe, expect, test } from 'vitest'
import { Allowance } from '../../../cli/mcp/allowance.ts'
import { ApiError } from '../../../shared/core/client/api-error.ts'
import { ConnectionError } from '../../../shared/core/client/connection-error.ts'
import type { Run } from '../../../shared/core/contracts/run.ts'
import { makeRun } from '../../builders/runs.ts'

const run = (id: string): Promise<Run> => Promise.resolve(makeRun({ id }))

describe('the allowance', () => {
  test('covers the caps of all runs together, to the cent', async () => {
    const allowance = new Allowance(0.3)
    await allowance.take(0.1, () => run('run-1'))
    await allowance.take(0.2, () => run('run-2'))
    await expect(allowance.take(0.01, () => run('run-3'))).rejects.toMatchObject({
      code: 'wrong_usage',
      message: expect.stringContaining('--max-cost'),
    })
    expect(allowance.has('run-3')).toBe(false)
  })

  test('covers runs that are started at the same time', async () => {
    const allowance = new Allowance(1)
    const ends = await Promise.allSettled(
      ['run-1', 'run-2', 'run-3'].map((id) => allowance.take(0.5, () => run(id))),
    )
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected'])
  })

  test('gets the unspent part of a cap back when the run has ended, not before', async () => {
    const allowance = new Allowance(1)
    const started = await allowance.take(1, () => run('run-1'))
    const usage = { ...started.usage, cost: 0.25 }
    allowance.settle({ ...started, usage })
    expect(allowance.left).toBe(0)
    allowance.settle({ id: 'run-1', usage, ended_at: '2026-01-01T00:00:00.000Z' })
    expect(allowance.left).toBe(0.75)
    allowance.settle({ id: 'run-9', usage, ended_at: '2026-01-01T00:00:00.000Z' })
    expect(allowance.left).toBe(0.75)
  })

  test('is given back for a refused run, and kept for one whose answer was lost', async () => {
    const allowance = new Allowance(1)
    const refusal = new ApiError(400, {
      type: 'invalid_request_error',
      code: 'unknown_task',
      message: 'No such task.',
      param: 'tasks',
    })
    await expect(allowance.take(1, () => Promise.reject(refusal))).rejects.toBe(refusal)
    expect(allowance.left).toBe(1)
    const lost = new ConnectionError('No service answers.')
    await expect(allowance.take(0.4, () => Promise.reject(lost))).rejects.toBe(lost)
    expect(allowance.left).toBe(0.6)
  })
})
