import { beforeAll, expect, test } from 'vitest'
import { assumptions } from '../../bench/cost/assumptions.ts'
import { capacitySteps } from '../../infra/scale-workers.ts'
import { actionsOn, rightsOf, type Statement, statementsOf } from './policies.ts'
import { type Resource, type Synthesised, synthesise } from './synthesise.ts'

let stage: Synthesised

beforeAll(async () => {
  stage = await synthesise({ maxWorkers: '4', workers: 'fargate', mail: 'someone@example.com' })
})

const only = (resources: Resource[]): Record<string, unknown> => {
  expect(resources).toHaveLength(1)
  return resources[0]?.Properties ?? {}
}

function task(): Record<string, unknown> {
  return only(
    stage
      .ofType('AWS::ECS::TaskDefinition')
      .filter(({ Properties }) => String(Properties.Family).endsWith('-worker')),
  )
}

function serviceOn(CapacityProvider: string): Record<string, unknown> {
  const services = stage.ofType('AWS::ECS::Service')
  const strategy = JSON.stringify([{ CapacityProvider, Weight: 1 }])
  return only(
    services.filter(({ Properties }) => JSON.stringify(Properties.CapacityProviderStrategy) === strategy),
  )
}

function stepsOf(alarmName: string): { adjustment: string; steps: Step[] } {
  const { AlarmActions } = alarmNamed(alarmName)
  const policies = new Map(
    stage.ofType('AWS::ApplicationAutoScaling::ScalingPolicy').map(({ id, Properties }) => [id, Properties]),
  )
  const found = (AlarmActions as { Ref?: string }[]).map(({ Ref = '' }) => policies.get(Ref)).find(Boolean)
  const { AdjustmentType, StepAdjustments } = (found?.StepScalingPolicyConfiguration ?? {}) as {
    AdjustmentType: string
    StepAdjustments: Step[]
  }
  return { adjustment: AdjustmentType, steps: StepAdjustments }
}

interface Step {
  ScalingAdjustment: number
  MetricIntervalLowerBound?: number
  MetricIntervalUpperBound?: number
}

function alarmNamed(name: string): Record<string, unknown> {
  const alarms = stage.ofType('AWS::CloudWatch::Alarm')
  return only(alarms.filter(({ Properties }) => Properties.AlarmName === `espalier-dev-${name}`))
}

function container(): Record<string, unknown> {
  const [first] = task().ContainerDefinitions as Record<string, unknown>[]
  return first ?? {}
}

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
  const spot = serviceOn('FARGATE_SPOT')
  expect(spot.NetworkConfiguration).toMatchObject({ AwsvpcConfiguration: { AssignPublicIp: 'ENABLED' } })
  expect(stage.ofType('AWS::ECS::Service')).toHaveLength(2)
})

test('services are made after the capacity providers of their cluster, and deleted before them', () => {
  const [association] = stage.ofType('AWS::ECS::ClusterCapacityProviderAssociations')
  for (const { DependsOn } of stage.ofType('AWS::ECS::Service')) expect(DependsOn).toContain(association?.id)
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
  const targets = stage.ofType('AWS::ApplicationAutoScaling::ScalableTarget')
  expect(targets).toHaveLength(2)
  for (const { Properties } of targets) expect(Properties).toMatchObject({ MinCapacity: 0, MaxCapacity: 4 })
  const { adjustment, steps } = stepsOf('workers-idle')
  expect(adjustment).toBe('ExactCapacity')
  const threshold = Number(alarmNamed('workers-idle').Threshold)
  /** Of steps below the threshold the lower bound is left out and the upper one belongs to it. */
  const wanted = (episodes: number) =>
    steps.find(
      ({ MetricIntervalLowerBound: lower = Number.NEGATIVE_INFINITY, MetricIntervalUpperBound: upper = 0 }) =>
        episodes - threshold > lower && episodes - threshold <= upper,
    )?.ScalingAdjustment
  const { places } = assumptions.stage.worker
  expect([0, 1, places, places + 1, 3 * places].map(wanted)).toEqual([0, 1, 1, 2, 3])
  expect(stepsOf('workers-wanted').adjustment).toBe('ChangeInCapacity')
  expect(stepsOf('workers-late').adjustment).toBe('ChangeInCapacity')
})

test('if Spot places none, the same task starts on demand, is mailed, and stops without episodes', () => {
  const [spot, onDemand] = ['FARGATE_SPOT', 'FARGATE'].map(serviceOn)
  expect(onDemand).toMatchObject({ DesiredCount: 0, TaskDefinition: spot?.TaskDefinition })
  const { adjustment, steps } = stepsOf('workers-unplaced')
  expect(adjustment).toBe('ExactCapacity')
  const { places } = assumptions.stage.worker
  const wanted = (waiting: number) =>
    steps.find(
      ({
        MetricIntervalLowerBound: lower = Number.NEGATIVE_INFINITY,
        MetricIntervalUpperBound: upper = Number.POSITIVE_INFINITY,
      }) => waiting - 1 >= lower && waiting - 1 < upper,
    )?.ScalingAdjustment
  expect([1, places, places + 1, 3 * places + 1, 100 * places].map(wanted)).toEqual([1, 1, 2, 4, 4])
  const { Metrics, EvaluationPeriods, AlarmActions } = alarmNamed('workers-unplaced')
  expect(JSON.stringify(Metrics)).toContain('IF(played < 1, waiting, 0)')
  expect(EvaluationPeriods).toBe(2)
  expect(JSON.stringify(AlarmActions)).toMatch(/AlarmsTopic/)
  expect(stepsOf('workers-needless').steps).toMatchObject([{ ScalingAdjustment: 0 }])
})

test('workers on demand give way when Spot has run tasks for ten minutes', () => {
  expect(stepsOf('workers-placed')).toMatchObject({
    adjustment: 'ExactCapacity',
    steps: [{ ScalingAdjustment: 0, MetricIntervalLowerBound: 0 }],
  })
  const alarm = alarmNamed('workers-placed')
  expect(alarm).toMatchObject({
    MetricName: 'CPUUtilization',
    Statistic: 'SampleCount',
    EvaluationPeriods: 2,
    Period: 300,
    TreatMissingData: 'notBreaching',
  })
  // Its service is the one on Spot.
  expect(JSON.stringify(alarm.Dimensions)).toMatch(/"WorkersService/)
  expect(serviceOn('FARGATE_SPOT')).toMatchObject({ ServiceName: 'espalier-dev-workers' })
})

test('a hundred workers are scaled in no more steps than Auto Scaling takes', async () => {
  const many = await synthesise({ maxWorkers: '100', warmWrites: '20000' })
  const policies = many.ofType('AWS::ApplicationAutoScaling::ScalingPolicy').map(({ Properties }) => {
    const { StepAdjustments } = Properties.StepScalingPolicyConfiguration as { StepAdjustments: Step[] }
    return StepAdjustments
  })
  expect(policies.every(({ length }) => length <= 20)).toBe(true)
  expect(policies.flat().some(({ ScalingAdjustment }) => ScalingAdjustment === 100)).toBe(true)
  const [table] = many.ofType('AWS::DynamoDB::Table')
  expect(table?.Properties.WarmThroughput).toEqual({
    ReadUnitsPerSecond: 60_000,
    WriteUnitsPerSecond: 20_000,
  })
})

test.each([1, 2, 4, 16, 19, 20, 99, 100])('the steps to %i tasks have no gap', (most) => {
  const steps = capacitySteps(most)
  expect(steps.length).toBeLessThanOrEqual(19)
  expect(
    steps.flatMap(({ fewest, tasks }) => Array.from({ length: tasks - fewest + 1 }, (_, n) => fewest + n)),
  ).toEqual(Array.from({ length: most }, (_, n) => n + 1))
})

test('no alarm takes an episode in flight for one that waits', () => {
  const alarms = stage.ofType('AWS::CloudWatch::Alarm')
  const byAge = alarms.filter(({ Properties }) => JSON.stringify(Properties).includes('AgeOfOldestMessage'))
  expect(byAge.map(({ Properties }) => Properties.AlarmName)).toEqual([])
  for (const name of ['episodes', 'alone', 'datasets', 'jobs', 'lasting']) {
    expect(alarmNamed(`${name}-waiting`)).toMatchObject({ Statistic: 'Minimum', Period: 3600, Threshold: 1 })
  }
})

test('in a VPC that is there, workers run in its subnets, with public addresses only if these have them', async () => {
  const subnets = ['subnet-0a1b2c3d', 'subnet-4e5f6a7b']
  const own = { maxWorkers: '4', vpc: 'vpc-0a1b2c3d', subnets: subnets.join(',') }
  for (const [settings, AssignPublicIp] of [
    [own, 'ENABLED'],
    [{ ...own, privateSubnets: 'true' }, 'DISABLED'],
  ] as const) {
    const services = (await synthesise(settings)).ofType('AWS::ECS::Service')
    expect(services).toHaveLength(2)
    for (const { Properties } of services) {
      expect(Properties.NetworkConfiguration).toMatchObject({
        AwsvpcConfiguration: { AssignPublicIp, Subnets: subnets },
      })
    }
  }
})

test('one worker at most is scaled too, and a stage without any has nothing of them', async () => {
  const one = await synthesise({ maxWorkers: '1' })
  const targets = one.ofType('AWS::ApplicationAutoScaling::ScalableTarget')
  expect(targets.map(({ Properties }) => Properties.MaxCapacity)).toEqual([1, 1])
  const none = await synthesise()
  expect(none.ofType('AWS::ECS::Service')).toEqual([])
  expect(JSON.stringify(none.template.toJSON())).not.toMatch(/[Ll]asting/)
  await expect(synthesise({ maxWorkers: '101' })).rejects.toThrow(/maxWorkers.*from 0 to 100/)
})

test('a stage says how full its batches are', async () => {
  const full = await synthesise({ batch: '5', batchWindow: '20' })
  const feeds = full.ofType('AWS::Lambda::EventSourceMapping').map(({ Properties }) => Properties)
  expect(feeds).toContainEqual(expect.objectContaining({ BatchSize: 5, MaximumBatchingWindowInSeconds: 20 }))
})
