import { Stack, Validations } from 'aws-cdk-lib'
import type { ITable } from 'aws-cdk-lib/aws-dynamodb'
import { type Conditions, Effect, PolicyStatement, type Role } from 'aws-cdk-lib/aws-iam'
import type { IBucket } from 'aws-cdk-lib/aws-s3'
import type { IQueue } from 'aws-cdk-lib/aws-sqs'
import { flattenCfnReference } from 'cdk-nag/lib/utils/flatten-cfn-reference.js'

export interface Grant {
  effect?: Effect
  actions: string[]
  resources: string[]
  conditions?: Conditions
  wildcards?: string
}

export function toStatement({
  effect = Effect.ALLOW,
  actions,
  resources,
  conditions,
}: Grant): PolicyStatement {
  return new PolicyStatement({ effect, actions, resources, conditions })
}

export function giveTo(role: Role, grant: Grant): void {
  role.addToPolicy(toStatement(grant))
  for (const resource of grant.resources) {
    if (grant.wildcards === undefined) continue
    const name = flattenCfnReference(Stack.of(role).resolve(resource))
    if (!name.includes('*')) continue
    Validations.of(role).acknowledge({ id: `AwsSolutions-IAM5[Resource::${name}]`, reason: grant.wildcards })
  }
}

export function lookUp(table: ITable, partitions: string[]): Grant {
  return {
    actions: ['dynamodb:GetItem'],
    resources: [table.tableArn],
    conditions: { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': partitions } },
  }
}

export function changeLedger(table: ITable, partitions?: readonly string[]): Grant {
  return {
    actions: [
      'dynamodb:GetItem',
      'dynamodb:Query',
      'dynamodb:UpdateItem',
      'dynamodb:DeleteItem',
      'dynamodb:ConditionCheckItem',
    ],
    resources: [table.tableArn],
    ...(partitions && {
      conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': partitions } },
    }),
  }
}

const objectKeysAreMade = 'Objects are made and named by the service: their keys begin with the prefix.'

export function readObjects(bucket: IBucket, prefixes: string[]): Grant {
  return {
    actions: ['s3:GetObject'],
    resources: prefixes.map((prefix) => bucket.arnForObjects(`${prefix}/*`)),
    wildcards: objectKeysAreMade,
  }
}

export function writeObjects(bucket: IBucket, prefixes: string[]): Grant {
  return {
    actions: ['s3:PutObject', 's3:AbortMultipartUpload'],
    resources: prefixes.map((prefix) => bucket.arnForObjects(`${prefix}/*`)),
    wildcards: objectKeysAreMade,
  }
}

export function deleteObjects(bucket: IBucket, prefixes: string[]): Grant {
  return {
    actions: ['s3:DeleteObject'],
    resources: prefixes.map((prefix) => bucket.arnForObjects(`${prefix}/*`)),
    wildcards: objectKeysAreMade,
  }
}

/** Without this permission S3 answers 403, not 404, for an absent object. */
export function listObjects(bucket: IBucket): Grant {
  return { actions: ['s3:ListBucket'], resources: [bucket.bucketArn] }
}

export function sendTo(...queues: IQueue[]): Grant {
  return { actions: ['sqs:SendMessage'], resources: queues.map((queue) => queue.queueArn) }
}

export function consume(...queues: IQueue[]): Grant {
  return {
    actions: [
      'sqs:ReceiveMessage',
      'sqs:DeleteMessage',
      'sqs:ChangeMessageVisibility',
      'sqs:GetQueueAttributes',
    ],
    resources: queues.map((queue) => queue.queueArn),
  }
}
