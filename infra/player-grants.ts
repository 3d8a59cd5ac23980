import { Aws, Stack } from 'aws-cdk-lib'
import type { IQueue } from 'aws-cdk-lib/aws-sqs'
import type { Construct } from 'constructs'
import * as grants from './grants.ts'
import type { Storage } from './storage.ts'

export interface PlayerGrants {
  stage: string
  storage: Storage
  takes: IQueue[]
  sends: IQueue[]
}

export function playerGrants(
  scope: Construct,
  { stage, storage: { bucket, table }, takes, sends }: PlayerGrants,
): grants.Grant[] {
  return [
    grants.changeLedger(table),
    grants.readObjects(bucket, ['runs', 'trajectories', 'blobs', 'packs']),
    grants.writeObjects(bucket, ['runs', 'blobs']),
    grants.listObjects(bucket),
    grants.consume(...takes),
    grants.sendTo(...sends),
    ...readKeys(scope, stage),
  ]
}

export function readKeys(scope: Construct, stage: string): grants.Grant[] {
  const { partition } = Stack.of(scope)
  const arn = (service: string, resource: string) =>
    `arn:${partition}:${service}:${Aws.REGION}:${Aws.ACCOUNT_ID}:${resource}`
  return [
    {
      actions: ['secretsmanager:GetSecretValue'],
      resources: [arn('secretsmanager', `secret:espalier/${stage}/*`)],
      wildcards: 'The deployer names the secrets in endpoints.json; their prefix is that of the stage.',
    },
    {
      actions: ['ssm:GetParameter'],
      resources: [arn('ssm', `parameter/espalier/${stage}/*`)],
      wildcards: 'The deployer names the parameters in endpoints.json; their prefix is that of the stage.',
    },
  ]
}
