import { expect, test } from 'vitest'
import { hostMetricsLine } from '../../../containers/env-host/run-host.ts'

test('a line declares each metric that it has, under the stage and the image', () => {
  const line = hostMetricsLine(
    { stage: 'dev', image: 'browser' },
    { sessions: 3, slots: 4 },
    { now: 1_795_000_000_000, memory: 2 ** 30, available: 4 * 2 ** 30 },
  )
  expect(line).not.toContain('\n')
  const { _aws, ...fields } = JSON.parse(line)
  const [{ Namespace, Dimensions, Metrics }] = _aws.CloudWatchMetrics
  expect([Namespace, Dimensions]).toEqual(['Espalier', [['service', 'stage', 'image']]])
  expect(Metrics.map(({ Name }: { Name: string }) => Name)).toEqual([
    'HostSessions',
    'HostSlotsUsed',
    'HostMemoryUsed',
  ])
  expect(fields).toEqual({
    service: 'espalier',
    stage: 'dev',
    image: 'browser',
    HostSessions: 3,
    HostSlotsUsed: 75,
    HostMemoryUsed: 25,
  })
})
