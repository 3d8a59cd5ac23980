import { expect, test } from 'vitest'
import type { Curve } from '../../../shared/core/contracts/curve.ts'
import type { Comparison } from '../../../shared/core/contracts/report.ts'
import { openTestApi } from './open-test-api.ts'

const headers = { 'Content-Type': 'application/json' }
const large = 'x'.repeat(5_000_000)

test('what is asked for with a body and is too large is to be got elsewhere, each answer by itself', async () => {
  const { app, services } = openTestApi()
  services.reports.compare = async () => ({ object: 'comparison', large }) as unknown as Comparison
  const bodies = [
    { runs: ['run-1', 'run-2'] },
    { runs: ['run-1', 'run-3'] },
    { runs: ['run-1', 'run-3'], interval: 'bootstrap' },
  ]
  for (const body of bodies) {
    const answer = await app.request('/v1/reports/compare', {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    expect(answer.status).toBe(303)
    expect(answer.headers.get('Location')).toContain('file_name=run-1-comparison.json')
  }
  expect(new Set(services.put).size).toBe(3)
  for (const key of services.put) expect(key).toMatch(/^runs\/run-1\/live\/[\w-]+-comparison\.json$/)
})

test('what is asked for without a body is stored elsewhere', async () => {
  const { app, services } = openTestApi()
  services.reports.curve = async () => ({ object: 'curve', large }) as unknown as Curve
  const answer = await app.request('/v1/runs/run-1/curve?over=tokens')
  expect(answer.status).toBe(307)
  expect(services.put).toHaveLength(1)
})
