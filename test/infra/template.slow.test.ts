import { beforeAll, expect, test } from 'vitest'
import { functionsInLoops } from './function-loops.ts'
import { functionNamed, statementsOf } from './policies.ts'
import { type Resource, type Synthesised, synthesise, synthesiseStacks } from './synthesise.ts'

let stage: Synthesised

beforeAll(async () => {
  stage = await synthesise({ mail: 'someone@example.com' })
}, 180_000)

test('no rule finds anything without a stated reason, and the CDK warns of nothing', () => {
  // `synthesise` throws at findings.
  expect(stage.messages).toEqual([])
})

test('nothing of trainings is there unless a stage asks for it', () => {
  expect(JSON.stringify(stage.resources)).not.toContain('sagemaker')
})

test('nothing lets strangers in', () => {
  const groups = stage.ofType('AWS::EC2::SecurityGroup')
  const ingress = [
    ...stage.ofType('AWS::EC2::SecurityGroupIngress').map(({ Properties }) => Properties),
    ...groups.flatMap(({ Properties }) => (Properties.SecurityGroupIngress ?? []) as object[]),
  ]
  expect(ingress).toHaveLength(1)
  expect(JSON.stringify(ingress)).not.toMatch(/0\.0\.0\.0|::\/0|CidrIp/)
  expect(ingress[0]).toMatchObject({ FromPort: 8080, ToPort: 8080, IpProtocol: 'tcp' })
})

test('hosts reach out over TLS only, and no gateway is paid for', () => {
  const toAnywhere = stage
    .ofType('AWS::EC2::SecurityGroup')
    .flatMap(
      ({ Properties }) => (Properties.SecurityGroupEgress ?? []) as { CidrIp?: string; ToPort: number }[],
    )
    .filter(({ CidrIp }) => CidrIp !== undefined)
  expect(toAnywhere.map(({ ToPort }) => ToPort)).toEqual([443, 443])
  expect(stage.ofType('AWS::EC2::NatGateway')).toEqual([])
  expect(stage.ofType('AWS::EC2::VPCEndpoint').map(({ Properties }) => Properties.VpcEndpointType)).toEqual([
    'Gateway',
    'Gateway',
  ])
})

test('no policy allows an action by a wildcard', () => {
  const policies = stage.resources.filter(({ Type }) => /^AWS::(IAM|SQS|S3|SNS)::.*(Policy|Role)/.test(Type))
  const allowed = policies.flatMap(statementsOf).filter(({ effect }) => effect === 'Allow')
  expect(allowed.length).toBeGreaterThan(20)
  expect(allowed.flatMap(({ actions }) => actions).filter((action) => action.includes('*'))).toEqual([])
})

test('roles have no policies that others write', () => {
  const roles = stage.ofType('AWS::IAM::Role')
  expect(roles.length).toBeGreaterThan(8)
  expect(roles.filter(({ Properties }) => Properties.ManagedPolicyArns !== undefined)).toEqual([])
})

test('each queue has a dead-letter queue, is encrypted and is reached over TLS', () => {
  const queues = stage.ofType('AWS::SQS::Queue')
  const isDead = ({ Properties }: Resource) => String(Properties.QueueName).endsWith('-dead')
  expect(queues.filter(isDead)).toHaveLength(4)
  for (const { Properties } of queues.filter((queue) => !isDead(queue))) {
    expect(Properties.RedrivePolicy).toMatchObject({ maxReceiveCount: 5 })
  }
  for (const { id, Properties } of queues) {
    expect(Properties.SqsManagedSseEnabled, id).toBe(true)
    expect(refusesPlainText(stage.ofType('AWS::SQS::QueuePolicy'), id), id).toBe(true)
  }
  for (const { Properties } of queues.filter(isDead)) {
    expect(Properties.MessageRetentionPeriod).toBe(14 * 86_400)
  }
})

test('each bucket blocks public access, is encrypted and is reached over TLS; that of the data is kept', () => {
  const buckets = stage.ofType('AWS::S3::Bucket')
  expect(buckets.map((bucket) => bucket.DeletionPolicy).sort()).toEqual(['Delete', 'RetainExceptOnCreate'])
  for (const { id, Properties, DeletionPolicy } of buckets) {
    expect(Properties.PublicAccessBlockConfiguration).toEqual({
      BlockPublicAcls: true,
      BlockPublicPolicy: true,
      IgnorePublicAcls: true,
      RestrictPublicBuckets: true,
    })
    expect(JSON.stringify(Properties.BucketEncryption)).toContain('AES256')
    expect(refusesPlainText(stage.ofType('AWS::S3::BucketPolicy'), id)).toBe(true)
    if (DeletionPolicy === 'Delete') continue
    expect(JSON.stringify(Properties.LifecycleConfiguration)).toContain('AbortIncompleteMultipartUpload')
  }
})

test('the table is paid by use, restorable, forgets what has expired, and is kept', () => {
  const [table, ...others] = stage.ofType('AWS::DynamoDB::Table')
  expect(others).toEqual([])
  expect(table?.DeletionPolicy).toBe('RetainExceptOnCreate')
  expect(table?.Properties).toMatchObject({
    BillingMode: 'PAY_PER_REQUEST',
    DeletionProtectionEnabled: true,
    PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true },
    KeySchema: [
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ],
  })
  // Without a key of its own it is encrypted with one that DynamoDB owns.
  expect(table?.Properties.SSESpecification).toBeUndefined()
})

test('the data is in a stack of its own, which holds nothing else', async () => {
  const [data, main, ...others] = await synthesiseStacks({ stage: 'dev' })
  expect(others).toEqual([])
  expect([data?.stackName, main?.stackName]).toEqual(['espalier-dev-data', 'espalier-dev'])
  expect(Object.values(data?.template.Resources ?? {}).map(({ Type }) => Type)).toEqual([
    'AWS::S3::Bucket',
    'AWS::S3::BucketPolicy',
    'AWS::DynamoDB::Table',
    'AWS::SSM::Parameter',
  ])
})

test('logs are not kept for ever', () => {
  const groups = stage.ofType('AWS::Logs::LogGroup')
  expect(groups.length).toBeGreaterThan(8)
  for (const { id, Properties, DeletionPolicy } of groups) {
    expect(Properties.RetentionInDays, id).toBe(30)
    expect(DeletionPolicy, id).toBe('Delete')
  }
})

test('everything that can carry a tag says whose it is', () => {
  const api = functionNamed(stage.ofType('AWS::Lambda::Function'), 'espalier-dev-api')
  expect(api.Properties.Tags).toEqual(
    expect.arrayContaining([
      { Key: 'project', Value: 'espalier' },
      { Key: 'stage', Value: 'dev' },
    ]),
  )
})

test('the command line finds everything in one parameter', () => {
  const [parameter] = stage
    .ofType('AWS::SSM::Parameter')
    .filter(({ Properties }) => Properties.Name === '/espalier/dev/settings')
  expect(parameter?.Properties).toMatchObject({ Name: '/espalier/dev/settings', Type: 'String' })
  const text = JSON.stringify(parameter?.Properties.Value)
  for (const name of ['stage', 'region', 'api', 'dashboard', 'table', 'bucket', 'queues', 'dead_letters']) {
    expect(text).toContain(`\\"${name}\\":`)
  }
})

test('alarms and the budget reach the address that was given, and without one stand in the console', async () => {
  const quiet = await synthesise()
  const names = stage.ofType('AWS::CloudWatch::Alarm').map(({ Properties }) => Properties.AlarmName)
  expect(names).toEqual(
    expect.arrayContaining([
      'espalier-dev-episodes-dead',
      'espalier-dev-alone-dead',
      'espalier-dev-datasets-dead',
      'espalier-dev-jobs-dead',
      'espalier-dev-episodes-waiting',
      'espalier-dev-advance-episodes-failed',
      'espalier-dev-workers-throttled',
      'espalier-dev-api-failed',
    ]),
  )
  for (const { Properties } of stage.ofType('AWS::CloudWatch::Alarm')) {
    expect(Properties.AlarmActions).toHaveLength(1)
  }
  expect(quiet.ofType('AWS::CloudWatch::Alarm')).toHaveLength(names.length)
  expect(quiet.ofType('AWS::SNS::Topic')).toEqual([])
  expect(quiet.ofType('AWS::Budgets::Budget')[0]?.Properties.NotificationsWithSubscribers).toBeUndefined()
  expect(stage.ofType('AWS::Budgets::Budget')[0]?.Properties.NotificationsWithSubscribers).toHaveLength(2)
})

test('a stage without a budget keeps its alarms', async () => {
  const without = await synthesise({ mail: 'a@example.com', budget: '0' })
  expect(without.ofType('AWS::Budgets::Budget')).toEqual([])
  expect(without.ofType('AWS::CloudWatch::Alarm')).toHaveLength(stage.ofType('AWS::CloudWatch::Alarm').length)
})

test('a stage can do without its dashboard, and keeps its alarms', async () => {
  const without = await synthesise({ dashboard: 'false' })
  expect(without.ofType('AWS::CloudWatch::Dashboard')).toEqual([])
  expect(stage.ofType('AWS::CloudWatch::Dashboard')).toHaveLength(1)
  expect(without.ofType('AWS::CloudWatch::Alarm')).toHaveLength(stage.ofType('AWS::CloudWatch::Alarm').length)
  await expect(synthesise({ dashboard: 'maybe' })).rejects.toThrow(/setting dashboard.*true or false/)
})

test('another stage shares no name with it', async () => {
  const other = await synthesise({ stage: 'prod' })
  expect(JSON.stringify(other.template.toJSON())).not.toMatch(/espalier-dev|\/espalier\/dev/)
})

function refusesPlainText(policies: Resource[], target: string): boolean {
  return policies
    .filter(({ Properties }) => JSON.stringify(Properties).includes(`"${target}"`))
    .some(({ Properties }) => JSON.stringify(Properties).includes('"aws:SecureTransport":"false"'))
}

test('functions whose messages lead back to them may go on without end, no others, and an alarm watches that none is stopped', () => {
  const leadingBack = functionsInLoops(stage)
  expect(leadingBack).toContain('espalier-dev-advance-episodes')
  for (const { Properties } of stage.ofType('AWS::Lambda::Function')) {
    const name = String(Properties.FunctionName)
    expect(Properties.RecursiveLoop, name).toBe(leadingBack.includes(name) ? 'Allow' : undefined)
  }
  const watched = stage
    .ofType('AWS::CloudWatch::Alarm')
    .filter(({ Properties }) => Properties.MetricName === 'RecursiveInvocationsDropped')
  expect(watched).toHaveLength(leadingBack.length)
})
