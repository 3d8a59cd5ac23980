import { expect, test } from 'vitest'
import { assumptions } from '../../bench/cost/assumptions.ts'
import { declared } from '../../bench/cost/idle.ts'
import { type Resource, synthesise } from './synthesise.ts'

const referenced = (value: unknown) =>
  /"([^"]+)"/.exec(JSON.stringify(value).replace(/^.*?\[/, ''))?.[1] ?? ''

test('the cost model knows what the stack declares; docs/cost.md says what it comes to', async () => {
  const stage = await synthesise({ mail: 'someone@example.com' })
  const functions = new Map(stage.ofType('AWS::Lambda::Function').map((one) => [one.id, one]))
  const minutely = stage.ofType('AWS::Events::Rule').map(({ Properties }) => {
    expect(Properties.ScheduleExpression).toBe('rate(1 minute)')
    const [target] = Properties.Targets as { Arn: unknown }[]
    return describe(functions.get(referenced(target?.Arn)))
  })
  expect({
    alarms: stage.ofType('AWS::CloudWatch::Alarm').length,
    dashboards: stage.ofType('AWS::CloudWatch::Dashboard').length,
    mappings: stage.ofType('AWS::Lambda::EventSourceMapping').length,
    minutely: minutely.toSorted(byName),
  }).toEqual({ ...declared, minutely: declared.minutely.toSorted(byName) })

  // Without a firewall and without logs, a distribution is paid by what it sends.
  const [web, ...others] = stage.ofType('AWS::CloudFront::Distribution').map(({ Properties }) => Properties)
  expect(others).toEqual([])
  expect(web?.DistributionConfig).not.toHaveProperty('WebACLId')
  expect(web?.DistributionConfig).not.toHaveProperty('Logging')

  const player = [...functions.values()].find((one) => describe(one).name === 'advance-episodes')
  const { batch, concurrency, memory } = assumptions.worker
  expect(player?.Properties.MemorySize).toBe(memory)
  const feeds = stage.ofType('AWS::Lambda::EventSourceMapping').map(({ Properties }) => Properties)
  expect(feeds).toContainEqual(
    expect.objectContaining({ BatchSize: batch, ScalingConfig: { MaximumConcurrency: concurrency } }),
  )
  const hosts = stage.ofType('AWS::ECS::TaskDefinition').map(({ Properties }) => Properties)
  const { host } = assumptions
  expect(hosts.find(({ Family }) => String(Family).endsWith('-env-host'))).toMatchObject({
    Cpu: String(1024 * host.cpu),
    Memory: String(1024 * host.memory),
  })
})

function describe(one: Resource | undefined) {
  const { FunctionName, MemorySize, TracingConfig } = one?.Properties ?? {}
  const name = String(FunctionName).replace(/^espalier-dev-/, '')
  return { name, memory: Number(MemorySize), traced: (TracingConfig as { Mode?: string })?.Mode === 'Active' }
}

function byName(one: { name: string }, other: { name: string }): number {
  return one.name.localeCompare(other.name)
}
