import { beforeAll, expect, test } from 'vitest'
import { assumptions } from '../../bench/cost/assumptions.ts'
import { actionsOn, rightsOf, type Statement, statementsOf } from './policies.ts'
import { type Resource, type Synthesised, synthesise } from './synthesise.ts'

let stage: Synthesised

beforeAll(async () => {
  stage = await synthesise({ maxWorkers: '4', workers: 'fargate' })
})

const only = (resources: Resource[]): Record<string, unknown> => {
  expect(resources).toHaveLength(1)
  return resources[0]?.Properties ?? {}
}

/** The definition of a worker's task. */
function task(): Record<string, unknown> {
  return only(
    stage
      .ofType('AWS::ECS::TaskDefinition')
      .filter(({ Properties }) => String(Properties.Family).endsWith('-worker')),
  )
}

function container(): Record<string, unknown> {
  const [first] = task().ContainerDefinitions as Record<string, unknown>[]
  return first ?? {}
}

/** What the role of a worker's task may do. */
function rightsOfWorkers(): Statement[] {
  const [role] = (task().TaskRoleArn as { 'Fn::GetAtt': [string] })['Fn::GetAtt']
  return stage
    .ofType('AWS::IAM::Policy')
    .filter(({ Properties }) => JSON.stringify(Properties.Roles).includes(`"${role}"`))
    .flatMap(statementsOf)
}

test('no rule finds anything without a stated reason, and the CDK warns of nothing', () => {
  expect(stage.messages).toEqual([])
})

test('workers are ARM tasks on Spot, unprivileged, which have two minutes to leave', () => {
  const { cpu, memory, places } = assumptions.stage.worker
  expect(task()).toMatchObject({
    Cpu: String(1024 * cpu),
    Memory: String(1024 * memory),
    RuntimePlatform: { CpuArchitecture: 'ARM64' },
  })
  expect(container()).toMatchObject({ StopTimeout: 120, ReadonlyRootFilesystem: true, User: '1000:1000' })
  expect(container().Privileged).toBeUndefined()
  expect(container().Environment).toEqual(
    expect.arrayContaining([
      { Name: 'ESPALIER_PLACES', Value: String(places) },
      { Name: 'ESPALIER_WORKERS', Value: 'fargate' },
      expect.objectContaining({ Name: 'ESPALIER_QUEUE_LASTING' }),
    ]),
  )
  expect(only(stage.ofType('AWS::ECS::Service'))).toMatchObject({
    CapacityProviderStrategy: [{ CapacityProvider: 'FARGATE_SPOT', Weight: 1 }],
    NetworkConfiguration: { AwsvpcConfiguration: { AssignPublicIp: 'ENABLED' } },
  })
})

test('nothing reaches workers, and they reach hosts and TLS', () => {
  const group = only(
    stage
      .ofType('AWS::EC2::SecurityGroup')
      .filter(({ Properties }) => String(Properties.GroupDescription).startsWith('Long-lived')),
  )
  expect(group.SecurityGroupIngress).toBeUndefined()
  const ingress = stage.ofType('AWS::EC2::SecurityGroupIngress').map(({ Properties }) => Properties)
  expect(ingress).toHaveLength(2)
  for (const rule of ingress) {
    expect(rule).toMatchObject({ FromPort: 8080, ToPort: 8080 })
    expect(JSON.stringify(rule.GroupId)).toContain('Members')
  }
  expect(stage.ofType('AWS::EC2::NatGateway')).toEqual([])
})

test('they may do what the function that plays may, on their own queue, and no more', () => {
  const workers = rightsOfWorkers()
  const player = rightsOf(stage, 'espalier-dev-advance-episodes')
  const beside = /^(logs|xray|lambda):/
  const actionsOf = (statements: Statement[]) =>
    [...new Set(statements.flatMap(({ actions }) => actions).filter((action) => !beside.test(action)))].sort()
  expect(actionsOf(workers)).toEqual(actionsOf(player))
  expect(actionsOf(workers).filter((action) => action.includes('*'))).toEqual([])
  expect(actionsOn(workers, 'LastingQueue')).toContain('sqs:ReceiveMessage')
  const takes = workers.filter(({ actions }) => actions.includes('sqs:ReceiveMessage'))
  expect(JSON.stringify(takes)).not.toContain('QueuesEpisodes')
})

test('every function that sends episodes may send them to workers, and no other', () => {
  const may = (name: string) => actionsOn(rightsOf(stage, `espalier-dev-${name}`), 'LastingQueue')
  for (const name of ['api', 'advance-episodes', 'build-dataset', 'sweep', 'dead-letters'])
    expect(may(name), name).toEqual(['sqs:SendMessage'])
  for (const name of ['authorizer', 'call-host', 'scale-hosts']) expect(may(name), name).toEqual([])
})

test('its dead letters are those of Lambda’s queue, which a function deals with', () => {
  const lasting = only(
    stage
      .ofType('AWS::SQS::Queue')
      .filter(({ Properties }) => Properties.QueueName === 'espalier-dev-lasting'),
  )
  expect(lasting.RedrivePolicy).toMatchObject({ maxReceiveCount: 5 })
  expect(JSON.stringify(lasting.RedrivePolicy)).toContain('EpisodesDeadLetters')
  const sources = stage.ofType('AWS::Lambda::EventSourceMapping').map(({ Properties }) => Properties)
  expect(JSON.stringify(sources)).not.toContain('LastingQueue')
})

test('there are as many as the queue needs, from none to maxWorkers and back to none', () => {
  expect(only(stage.ofType('AWS::ApplicationAutoScaling::ScalableTarget'))).toMatchObject({
    MinCapacity: 0,
    MaxCapacity: 4,
  })
  const policies = stage
    .ofType('AWS::ApplicationAutoScaling::ScalingPolicy')
    .map(({ Properties }) => Properties.StepScalingPolicyConfiguration as Record<string, unknown>)
  const exact = policies.find(({ AdjustmentType }) => AdjustmentType === 'ExactCapacity')
  const alarms = stage.ofType('AWS::CloudWatch::Alarm').map(({ Properties }) => Properties)
  const idle = alarms.find(({ AlarmName }) => AlarmName === 'espalier-dev-workers-idle')
  const threshold = Number(idle?.Threshold)
  const steps = exact?.StepAdjustments as {
    ScalingAdjustment: number
    MetricIntervalLowerBound?: number
    MetricIntervalUpperBound?: number
  }[]
  /** Of steps below the threshold the lower bound is left out and the upper one belongs to it. */
  const wanted = (episodes: number) =>
    steps.find(
      ({ MetricIntervalLowerBound: lower = Number.NEGATIVE_INFINITY, MetricIntervalUpperBound: upper = 0 }) =>
        episodes - threshold > lower && episodes - threshold <= upper,
    )?.ScalingAdjustment
  const { places } = assumptions.stage.worker
  expect([0, 1, places, places + 1, 3 * places].map(wanted)).toEqual([0, 1, 1, 2, 3])
  expect(alarms.map(({ AlarmName }) => AlarmName)).toEqual(
    expect.arrayContaining(['espalier-dev-workers-wanted', 'espalier-dev-workers-late']),
  )
})

test('one worker at most is scaled too, and a stage without any has nothing of them', async () => {
  const one = await synthesise({ maxWorkers: '1' })
  expect(only(one.ofType('AWS::ApplicationAutoScaling::ScalableTarget'))).toMatchObject({ MaxCapacity: 1 })
  const none = await synthesise()
  expect(none.ofType('AWS::ECS::Service')).toEqual([])
  expect(JSON.stringify(none.template.toJSON())).not.toMatch(/[Ll]asting/)
  await expect(synthesise({ maxWorkers: '17' })).rejects.toThrow(/maxWorkers.*from 0 to 16/)
})

test('a stage says how full its batches are', async () => {
  const full = await synthesise({ batch: '5', batchWindow: '20' })
  const feeds = full.ofType('AWS::Lambda::EventSourceMapping').map(({ Properties }) => Properties)
  expect(feeds).toContainEqual(expect.objectContaining({ BatchSize: 5, MaximumBatchingWindowInSeconds: 20 }))
})
