import { beforeAll, expect, test } from 'vitest'
import { actionsOn, statementsOf } from './policies.ts'
import { type Resource, type Synthesised, synthesise } from './synthesise.ts'

let stage: Synthesised
let role: Resource
let policy: Resource

beforeAll(async () => {
  stage = await synthesise({ trainings: 'true' })
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
  // `synthesise` throws at findings.
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
  const lists = Statement.find(({ Action }) => Action === 's3:ListBucket')
  expect(lists?.Condition).toEqual({ StringLike: { 's3:prefix': 'sagemaker/*' } })
})

test('no function of the stage may start a job, and the trainer is printed as trainers.json takes it', () => {
  const functions = stage.ofType('AWS::IAM::Policy').flatMap(statementsOf)
  expect(
    functions.flatMap(({ actions }) => actions).filter((action) => action.startsWith('sagemaker:')),
  ).toEqual([])
  const output = JSON.stringify(stage.template.findOutputs('Trainer'))
  for (const field of ['kind', 'region', 'bucket', 'prefix', 'role', 'image', 'jobs'])
    expect(output).toContain(`\\"${field}\\"`)
})
