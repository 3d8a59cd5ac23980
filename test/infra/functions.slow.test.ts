import { beforeAll, describe, expect, test } from 'vitest'
import { hostPartitions } from '../../shared/environments/hosts/host-row.ts'
import { actionsOn, functionNamed, rightsOf } from './policies.ts'
import { type Resource, type Synthesised, synthesise } from './synthesise.ts'

interface RawRight {
  Action: string | string[]
  Condition?: unknown
}

let stage: Synthesised

beforeAll(async () => {
  stage = await synthesise({ maxConcurrency: '80' })
})

const functions: Record<string, { timeout: number; memory: number; traced?: boolean }> = {
  api: { timeout: 29, memory: 1536 },
  authorizer: { timeout: 10, memory: 256 },
  'advance-episodes': { timeout: 900, memory: 1024 },
  'build-dataset': { timeout: 900, memory: 1024 },
  'call-host': { timeout: 300, memory: 256 },
  'scale-hosts': { timeout: 55, memory: 256, traced: false },
  sweep: { timeout: 300, memory: 512, traced: false },
  'dead-letters': { timeout: 60, memory: 512 },
  'put-pages': { timeout: 300, memory: 512 },
}

test('there are these functions and no others', () => {
  const names = stage.ofType('AWS::Lambda::Function').map(({ Properties }) => Properties.FunctionName)
  expect(names.sort()).toEqual(
    Object.keys(functions)
      .map((name) => `espalier-dev-${name}`)
      .sort(),
  )
})

describe.each(Object.entries(functions))('%s', (name, { timeout, memory, traced = true }) => {
  test('has its time, its memory, its logs and its traces, on Node 24 and ARM', () => {
    const { Properties } = functionNamed(stage.ofType('AWS::Lambda::Function'), `espalier-dev-${name}`)
    expect(Properties).toMatchObject({
      Timeout: timeout,
      MemorySize: memory,
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      LoggingConfig: { LogFormat: 'JSON' },
    })
    expect(Properties.TracingConfig).toEqual(traced ? { Mode: 'Active' } : undefined)
    const rights = rightsOf(stage, `espalier-dev-${name}`).flatMap(({ actions }) => actions)
    expect(rights.some((action) => action.startsWith('xray:'))).toBe(traced)
    // New accounts may run ten functions at once, and may reserve none of them.
    expect(Properties.ReservedConcurrentExecutions).toBeUndefined()
    const logs = stage
      .ofType('AWS::Logs::LogGroup')
      .filter((group) => group.Properties.LogGroupName === `/aws/lambda/espalier-dev-${name}`)
    expect(logs).toHaveLength(1)
  })

  test('knows its stage', () => {
    const { Properties } = functionNamed(stage.ofType('AWS::Lambda::Function'), `espalier-dev-${name}`)
    const { Variables } = Properties.Environment as { Variables: Record<string, unknown> }
    expect(Variables).toMatchObject({
      ESPALIER_STAGE: 'dev',
      ESPALIER_CODE: expect.stringMatching(/^\d+\.\d+\.\d+\+[0-9a-f]{12}$/),
      POWERTOOLS_SERVICE_NAME: 'espalier',
      POWERTOOLS_METRICS_NAMESPACE: 'Espalier',
      NODE_OPTIONS: '--enable-source-maps',
    })
    for (const setting of [
      'TABLE',
      'BUCKET',
      'QUEUE_EPISODES',
      'QUEUE_ALONE',
      'QUEUE_DATASETS',
      'QUEUE_JOBS',
    ]) {
      expect(Variables[`ESPALIER_${setting}`], setting).toBeDefined()
    }
    for (const queue of ['EPISODES', 'ALONE', 'DATASETS', 'JOBS']) {
      expect(Variables[`ESPALIER_DEAD_${queue}`], queue).toBeDefined()
    }
    expect('ESPALIER_HOSTS' in Variables).toBe(name === 'scale-hosts')
    expect('ESPALIER_CALL_HOST' in Variables).toBe(['advance-episodes', 'scale-hosts'].includes(name))
  })

  test('is in the network of hosts only where it must be', () => {
    const { Properties } = functionNamed(stage.ofType('AWS::Lambda::Function'), `espalier-dev-${name}`)
    expect(Properties.VpcConfig !== undefined).toBe(name === 'call-host')
  })
})

test('queues feed their functions in batches whose failures come back alone', () => {
  const sources = stage.ofType('AWS::Lambda::EventSourceMapping').map(({ Properties }) => ({
    queue: queueOf(Properties.EventSourceArn),
    batch: Properties.BatchSize,
    concurrency: (Properties.ScalingConfig as { MaximumConcurrency: number }).MaximumConcurrency,
    partial: Properties.FunctionResponseTypes,
  }))
  const partial = ['ReportBatchItemFailures']
  expect(sources.sort((a, b) => a.queue.localeCompare(b.queue))).toEqual([
    { queue: 'espalier-dev-alone', batch: 1, concurrency: 8, partial },
    { queue: 'espalier-dev-alone-dead', batch: 10, concurrency: 2, partial },
    { queue: 'espalier-dev-datasets', batch: 1, concurrency: 8, partial },
    { queue: 'espalier-dev-datasets-dead', batch: 10, concurrency: 2, partial },
    { queue: 'espalier-dev-episodes', batch: 10, concurrency: 80, partial },
    { queue: 'espalier-dev-episodes-dead', batch: 10, concurrency: 2, partial },
    { queue: 'espalier-dev-jobs-dead', batch: 10, concurrency: 2, partial },
  ])
})

test('no message comes back while its function may still work on it', () => {
  for (const { Properties } of stage.ofType('AWS::Lambda::EventSourceMapping')) {
    const queue = find('AWS::SQS::Queue', idOf(Properties.EventSourceArn))
    const target = find('AWS::Lambda::Function', idOf(Properties.FunctionName))
    expect(Number(queue.Properties.VisibilityTimeout)).toBeGreaterThan(Number(target.Properties.Timeout))
  }
})

test('the authorizer looks up keys and can do nothing else', () => {
  const rights = rightsOf(stage, 'espalier-dev-authorizer').flatMap(({ actions }) => actions)
  expect(rights.filter((action) => !/^(logs|xray):/.test(action))).toEqual(['dynamodb:GetItem'])
})

test('scale-hosts reaches the partitions of hosts alone', () => {
  const table = stage
    .ofType('AWS::IAM::Policy')
    .flatMap(({ Properties }) => (Properties.PolicyDocument as { Statement: RawRight[] }).Statement)
    .filter(({ Action }) => [Action].flat().includes('dynamodb:DeleteItem'))
    .filter(({ Condition }) => Condition !== undefined)
  expect(table.map(({ Condition }) => Condition)).toEqual([
    { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': hostPartitions } },
  ])
  const named = JSON.stringify(stage.ofType('AWS::IAM::Policy').filter(({ id }) => id.includes('ScaleHosts')))
  expect(named).toContain('dynamodb:LeadingKeys')
})

test('call-host can only look up hosts, and connect to their network', () => {
  const rights = rightsOf(stage, 'espalier-dev-call-host').flatMap(({ actions }) => actions)
  expect(rights.filter((action) => !/^(logs|xray|ec2):/.test(action))).toEqual(['dynamodb:GetItem'])
  const [allowed, denied] = ['Allow', 'Deny'].map((wanted) =>
    rightsOf(stage, 'espalier-dev-call-host')
      .filter(({ effect }) => effect === wanted)
      .flatMap(({ actions }) => actions.filter((action) => action.startsWith('ec2:'))),
  )
  // What Lambda may do on the function's behalf, the function's own code may not.
  expect(allowed).toHaveLength(6)
  expect(denied).toEqual(allowed)
})

test('keys of endpoints are read by those who ask endpoints, and only those of the stage', () => {
  for (const name of Object.keys(functions)) {
    const secrets = rightsOf(stage, `espalier-dev-${name}`).filter(({ actions }) =>
      actions.some((action) => /^(secretsmanager|ssm):/.test(action)),
    )
    expect(secrets.length > 0, name).toBe(['advance-episodes', 'sweep'].includes(name))
    for (const { resources } of secrets) expect(JSON.stringify(resources)).toMatch(/espalier\/dev\/\*/)
  }
})

test('data packs are read by those who open environments, and written by no function', () => {
  for (const name of Object.keys(functions)) {
    const rights = rightsOf(stage, `espalier-dev-${name}`).filter(({ resources }) =>
      JSON.stringify(resources).includes('/packs/*'),
    )
    const opens = ['advance-episodes', 'api', 'build-dataset'].includes(name)
    expect(
      rights.flatMap(({ actions }) => actions),
      name,
    ).toEqual(opens ? ['s3:GetObject'] : [])
  }
})

test('imported trajectories are written by the API, and read by all who make datasets of them', () => {
  for (const name of Object.keys(functions)) {
    const rights = rightsOf(stage, `espalier-dev-${name}`).filter(({ resources }) =>
      JSON.stringify(resources).includes('/trajectories/*'),
    )
    const actions = rights.flatMap((right) => right.actions)
    expect(actions.includes('s3:PutObject'), name).toBe(name === 'api')
    const reads = ['advance-episodes', 'api', 'build-dataset'].includes(name)
    expect(actions.includes('s3:GetObject'), name).toBe(reads)
  }
})

test('messages of datasets are sent by those who ask for them, build them, sweep, and give them up', () => {
  const datasets = stage
    .ofType('AWS::SQS::Queue')
    .find(({ Properties }) => Properties.QueueName === 'espalier-dev-datasets')
  for (const name of Object.keys(functions)) {
    const sends = rightsOf(stage, `espalier-dev-${name}`).some(
      ({ actions, resources }) =>
        actions.includes('sqs:SendMessage') && JSON.stringify(resources).includes(`"${datasets?.id}"`),
    )
    expect(sends, name).toBe(['api', 'build-dataset', 'sweep', 'dead-letters'].includes(name))
  }
})

test('no function may delete an object, but what a build of a dataset leaves behind, what is left of deleted things, and earlier pages', () => {
  for (const name of Object.keys(functions)) {
    const rights = rightsOf(stage, `espalier-dev-${name}`).filter(({ actions }) =>
      actions.some((action) => action.startsWith('s3:Delete')),
    )
    if (name === 'build-dataset') {
      expect(rights).toHaveLength(1)
      expect(JSON.stringify(rights[0]?.resources)).toMatch(/^[^*]*\/datasets\/\*\/parts\/\*[^*]*$/)
    } else if (name === 'sweep') {
      const resources = JSON.stringify(rights.flatMap((right) => right.resources))
      const prefixes = [...resources.matchAll(/\/([a-z]+)\/\*/g)].map(([, prefix]) => prefix)
      expect(prefixes.toSorted()).toEqual(['datasets', 'runs', 'trajectories'])
    } else if (name === 'put-pages') {
      expect(JSON.stringify(rights)).toMatch(/WebPages/)
      expect(JSON.stringify(rights)).not.toMatch(/StorageBucket/)
    } else expect(rights, name).toEqual([])
  }
})

test('only scale-hosts starts tasks, with the roles of hosts and in their cluster', () => {
  for (const name of Object.keys(functions)) {
    const rights = rightsOf(stage, `espalier-dev-${name}`)
    const launches = actionsOn(rights, '').filter((action) => /^(ecs:|iam:)/.test(action))
    if (name === 'scale-hosts') expect(launches).toContain('iam:PassRole')
    else expect(launches).toEqual([])
  }
})

test('hosts run unprivileged, without rights, and cannot write to their image', () => {
  for (const { Properties } of stage.ofType('AWS::ECS::TaskDefinition')) {
    expect(Properties.RuntimePlatform).toEqual({ CpuArchitecture: 'ARM64', OperatingSystemFamily: 'LINUX' })
    const containers = Properties.ContainerDefinitions as Record<string, unknown>[]
    expect(containers).toHaveLength(1)
    expect(containers[0]).toMatchObject({ ReadonlyRootFilesystem: true, User: '1000:1000', StopTimeout: 60 })
    const role = idOf(Properties.TaskRoleArn)
    const policies = stage
      .ofType('AWS::IAM::Policy')
      .filter((policy) => JSON.stringify(policy.Properties.Roles).includes(`"${role}"`))
    expect(policies).toEqual([])
  }
})

function idOf(reference: unknown): string {
  const { Ref, 'Fn::GetAtt': attribute } = reference as { Ref?: string; 'Fn::GetAtt'?: [string] }
  return Ref ?? attribute?.[0] ?? ''
}

function find(type: string, id: string): Resource {
  const found = stage.ofType(type).find((resource) => resource.id === id)
  if (found === undefined) throw new Error(`There is no ${type} ${id}.`)
  return found
}

function queueOf(arn: unknown): string {
  return String(find('AWS::SQS::Queue', idOf(arn)).Properties.QueueName)
}
