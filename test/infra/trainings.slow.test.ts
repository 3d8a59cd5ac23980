import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { App, Stack, Validations } from 'aws-cdk-lib'
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag'
import { beforeAll, expect, test } from 'vitest'
import { Storage } from '../../infra/storage.ts'
import { Trainings } from '../../infra/trainings.ts'
import { actionsOn, statementsOf } from './policies.ts'
import { describeStack, type Resource, type Synthesised } from './synthesise.ts'

let stage: Synthesised
let role: Resource
let policy: Resource

beforeAll(() => {
  const outdir = mkdtempSync(join(tmpdir(), 'espalier-synth-'))
  try {
    const app = new App({ outdir })
    const stack = new Stack(app, 'espalier-dev')
    new Trainings(stack, 'Trainings', {
      stage: 'dev',
      storage: new Storage(stack, 'Storage', { bucket: 'the-bucket', table: 'the-table' }),
    })
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app))
    const [made] = app.synth().stacks
    if (made === undefined) throw new Error('The app has no stack.')
    stage = describeStack(made)
  } finally {
    rmSync(outdir, { recursive: true })
  }
  role = only(stage.ofType('AWS::IAM::Role'), 'RoleName')
  policy = only(stage.ofType('AWS::IAM::ManagedPolicy'), 'ManagedPolicyName')
}, 180_000)

function only(found: Resource[], name: string): Resource {
  const [one, ...others] = found.filter(({ Properties }) => Properties[name] === 'espalier-dev-trainings')
  if (one === undefined || others.length > 0) throw new Error(`There is not one ${name}.`)
  return one
}

const policiesOf = ({ id }: Resource) =>
  stage
    .ofType('AWS::IAM::Policy')
    .filter(({ Properties }) => JSON.stringify(Properties.Roles).includes(`"${id}"`))
    .flatMap(statementsOf)

test('no rule finds anything without a stated reason', () => {
  // The synthesis throws at findings.
  expect(stage.messages).toEqual([])
})

test('SageMaker alone takes the role of jobs, for this account', () => {
  expect(role.Properties.AssumeRolePolicyDocument).toMatchObject({
    Statement: [
      {
        Principal: { Service: 'sagemaker.amazonaws.com' },
        Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
      },
    ],
  })
})

test('a job reads and writes below its prefix, writes its log, and pulls its image', () => {
  const statements = policiesOf(role)
  expect([...new Set(statements.flatMap(({ actions }) => actions))].toSorted()).toEqual([
    'ecr:BatchCheckLayerAvailability',
    'ecr:BatchGetImage',
    'ecr:GetAuthorizationToken',
    'ecr:GetDownloadUrlForLayer',
    'logs:CreateLogGroup',
    'logs:CreateLogStream',
    'logs:DescribeLogStreams',
    'logs:PutLogEvents',
    's3:AbortMultipartUpload',
    's3:GetObject',
    's3:ListBucket',
    's3:PutObject',
  ])
  expect(actionsOn(statements, '/sagemaker/*')).toEqual([
    's3:AbortMultipartUpload',
    's3:GetObject',
    's3:PutObject',
  ])
})

test('who has the policy starts, looks at and stops jobs of the stage, with their role and no other', () => {
  const statements = statementsOf(policy)
  expect(actionsOn(statements, ':training-job/espalier-dev-*')).toEqual([
    'sagemaker:AddTags',
    'sagemaker:CreateTrainingJob',
    'sagemaker:DescribeTrainingJob',
    'sagemaker:StopTrainingJob',
  ])
  expect(actionsOn(statements, role.id)).toEqual(['iam:PassRole'])
  expect(actionsOn(statements, '/sagemaker/*')).toEqual([
    's3:AbortMultipartUpload',
    's3:DeleteObject',
    's3:GetObject',
    's3:PutObject',
  ])
  const { Statement } = policy.Properties.PolicyDocument as {
    Statement: { Action: string; Condition?: object }[]
  }
  expect(Statement.find(({ Action }) => Action === 'iam:PassRole')?.Condition).toEqual({
    StringEquals: { 'iam:PassedToService': 'sagemaker.amazonaws.com' },
  })
})

test('the trainer is printed as trainers.json takes it', () => {
  const output = JSON.stringify(stage.template.findOutputs('Trainer'))
  for (const field of ['kind', 'region', 'bucket', 'prefix', 'role', 'image', 'jobs'])
    expect(output).toContain(`\\"${field}\\"`)
})
