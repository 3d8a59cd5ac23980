import { expect, test } from 'vitest'
import { formatRun } from '../../cli/format-run.ts'
import { halfPlayedRun } from '../builders/runs.ts'

test('a run says how far its method plays and what it settled by default; one of old says neither', () => {
  const horizon = { parameter: 'max_steps', least: 20, most: 20, from: 'environment' } as const
  const lines = formatRun(
    halfPlayedRun({ resolved: { horizon, parameters: { proposals: 20, scale: 'rubric' } } }),
    200,
  )
  expect(lines).toContain("horizon      20 actions (max_steps), the environment's default")
  expect(lines).toContain('by default   proposals 20, scale rubric')
  expect(formatRun(halfPlayedRun(), 200).some((line) => /^(horizon|by default)/.test(line))).toBe(false)
})
