import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '../../infra/bundling.ts'
import { functionNamed, rightsOf } from './policies.ts'
import { type Resource, type Synthesised, synthesise } from './synthesise.ts'

/** One stage with many settings, since each takes seconds to synthesise. */
const chosen = {
  quota: '10',
  fleets: '{"env-host":{"max_hosts":50}}',
  protect: 'true',
  vpc: 'vpc-0a1b2c3d',
  subnets: 'subnet-0a1b2c3d,subnet-4e5f6a7b',
  privateSubnets: 'true',
  domain: 'agents.example.com',
  certificate: 'arn:aws:acm:us-east-1:123456789012:certificate/0a1b2c3d-0000-4000-8000-000000000000',
  bucket: 'the-bucket',
  table: 'the-table',
}
const usual = () => synthesise({ mail: 'someone@example.com' })
const withSettings = () => synthesise(chosen)

function variablesOf(stage: Synthesised, name: string): Record<string, unknown> {
  const { Properties } = functionNamed(stage.ofType('AWS::Lambda::Function'), `espalier-dev-${name}`)
  return (Properties.Environment as { Variables: Record<string, unknown> }).Variables
}

function only(stage: Synthesised, type: string): Resource {
  const [one, ...others] = stage.ofType(type)
  if (one === undefined || others.length > 0) throw new Error(`There is not one ${type}.`)
  return one
}

test('settings are said to those who act on them', async () => {
  const stage = await withSettings()
  const fleets: unknown = JSON.parse(String(variablesOf(stage, 'scale-hosts').ESPALIER_FLEETS))
  expect(fleets).toMatchObject({ 'env-host': { max_hosts: 50 }, desktop: { slots: 1 } })
  expect(stage.messages).toEqual([])
})

test('in an account with few executions all feeds together leave room for the API', async () => {
  const stage = await withSettings()
  const feeds = stage
    .ofType('AWS::Lambda::EventSourceMapping')
    .map(({ Properties }) => (Properties.ScalingConfig as { MaximumConcurrency: number }).MaximumConcurrency)
  expect(feeds).toEqual([2, 2, 2])
  expect(variablesOf(stage, 'sweep').ESPALIER_SWEEP_DEAD_LETTERS).toBe('true')
  const takes = rightsOf(stage, 'espalier-dev-sweep').flatMap(({ actions }) => actions)
  expect(takes).toEqual(expect.arrayContaining(['sqs:ReceiveMessage', 'sqs:DeleteMessage']))
  const names = stage.ofType('AWS::Lambda::Function').map(({ Properties }) => Properties.FunctionName)
  expect(names).not.toContain('espalier-dev-dead-letters')
  expect(only(stage, 'AWS::ApiGatewayV2::Stage').Properties).toMatchObject({
    DefaultRouteSettings: { ThrottlingBurstLimit: 5 },
    RouteSettings: { 'GET /v1/runs/{run}/events': { ThrottlingBurstLimit: 1, ThrottlingRateLimit: 0.1 } },
  })
})

test('hosts run in a VPC that is there, and nothing of a network is made', async () => {
  const stage = await withSettings()
  for (const type of ['VPC', 'Subnet', 'InternetGateway', 'VPCEndpoint', 'RouteTable']) {
    expect(stage.ofType(`AWS::EC2::${type}`)).toEqual([])
  }
  const hosts = JSON.stringify(variablesOf(stage, 'scale-hosts').ESPALIER_HOSTS)
  expect(hosts).toMatch(/subnet-0a1b2c3d.*subnet-4e5f6a7b/)
  expect(hosts).toMatch(/public_addresses\\*":false/)
  const { VpcConfig } = functionNamed(
    stage.ofType('AWS::Lambda::Function'),
    'espalier-dev-call-host',
  ).Properties
  expect(VpcConfig).toMatchObject({ SubnetIds: ['subnet-0a1b2c3d', 'subnet-4e5f6a7b'] })
  for (const { Properties } of stage.ofType('AWS::EC2::SecurityGroup')) {
    expect(Properties.VpcId).toBe('vpc-0a1b2c3d')
  }
})

test('the dashboard stands under a domain, over TLS 1.2 at least', async () => {
  const stage = await withSettings()
  expect(only(stage, 'AWS::CloudFront::Distribution').Properties.DistributionConfig).toMatchObject({
    Aliases: ['agents.example.com'],
    ViewerCertificate: { AcmCertificateArn: chosen.certificate, MinimumProtocolVersion: 'TLSv1.2_2021' },
  })
  expect(JSON.stringify(stage.ofType('AWS::SSM::Parameter'))).toContain('https://agents.example.com')
})

test('kept data is gone on with, by the names of its bucket and table', async () => {
  const stage = await withSettings()
  expect(stage.ofType('AWS::DynamoDB::Table')).toEqual([])
  expect(stage.ofType('AWS::S3::Bucket').filter(({ id }) => id.startsWith('Storage'))).toEqual([])
  const { ESPALIER_BUCKET, ESPALIER_TABLE } = variablesOf(stage, 'advance-episodes')
  expect([ESPALIER_BUCKET, ESPALIER_TABLE]).toEqual(['the-bucket', 'the-table'])
  expect(JSON.stringify(rightsOf(stage, 'espalier-dev-authorizer'))).toContain('table/the-table')
})

test('a stage remembers what was chosen, but not what is usual or asked for anew', async () => {
  const stored = (stage: Synthesised) => {
    const options = stage
      .ofType('AWS::SSM::Parameter')
      .find(({ Properties }) => Properties.Name === '/espalier/dev/options')
    return JSON.parse(String(options?.Properties.Value))
  }
  const { quota: _, ...remembered } = chosen
  expect(stored(await withSettings())).toEqual(remembered)
  expect(stored(await usual())).toEqual({ mail: 'someone@example.com' })
})

test('without hosts nothing of them is made, and no image is built', async () => {
  const stage = await synthesise({ hosts: 'false' })
  for (const type of ['AWS::ECS::Cluster', 'AWS::ECS::TaskDefinition', 'AWS::EC2::VPC']) {
    expect(stage.ofType(type)).toEqual([])
  }
  expect(variablesOf(stage, 'advance-episodes')).not.toHaveProperty('ESPALIER_CALL_HOST')
  expect(stage.messages).toEqual([])
})

test('names that are the account’s hold the region, so that a stage of the same name stands in another', async () => {
  const stage = await usual()
  const region = '{"Ref":"AWS::Region"}'
  const names: [type: string, property: string][] = [
    ['AWS::CloudFront::Function', 'Name'],
    ['AWS::CloudFront::ResponseHeadersPolicy', 'ResponseHeadersPolicyConfig.Name'],
    ['AWS::CloudFront::OriginAccessControl', 'OriginAccessControlConfig.Name'],
    ['AWS::Budgets::Budget', 'Budget.BudgetName'],
  ]
  for (const [type, property] of names) {
    const path = property.split('.')
    const found = stage
      .ofType(type)
      .map(({ Properties }) =>
        path.reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], Properties),
      )
    expect(found.length, type).toBeGreaterThan(0)
    expect(new Set(found.map((name) => JSON.stringify(name))).size, type).toBe(found.length)
    for (const name of found) expect(JSON.stringify(name), type).toContain(region)
  }
  // CloudFormation names these itself, other ones in each region.
  for (const { Properties } of stage.ofType('AWS::IAM::Role')) expect(Properties.RoleName).toBeUndefined()
  for (const { Properties } of stage.ofType('AWS::IAM::Policy')) {
    expect(JSON.stringify(Properties.PolicyName)).toBeDefined()
  }
  for (const { Properties } of stage.ofType('AWS::S3::Bucket')) expect(Properties.BucketName).toBeUndefined()
})

test('every alarm is in the runbook, and the runbook names no other', async () => {
  const runbook = await readFile(join(projectRoot, 'docs', 'runbook.md'), 'utf8')
  const rows = runbook.split('\n').filter((line) => /^\| `/.test(line))
  const named = rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name),
  )
  const all = await synthesise({ maxWorkers: '4', cloudfront: 'false' })
  // They scale workers: in alarm while they have work, and mailed to nobody.
  const scaling = /-workers-(wanted|late|idle|needless|placed)$/
  const alarms = all
    .ofType('AWS::CloudWatch::Alarm')
    .filter(({ Properties }) => !scaling.test(String(Properties.AlarmName)))
    .map(({ Properties }) => String(Properties.AlarmName).replace('espalier-dev-', ''))
  expect(named.toSorted()).toEqual(alarms.toSorted())
})
