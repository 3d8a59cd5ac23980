import { randomBytes } from 'node:crypto'
import {
  CreateTableCommand,
  DeleteTableCommand,
  DynamoDBClient,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb'
import {
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteObjectsCommand,
  ListObjectsV2Command,
  S3Client,
} from '@aws-sdk/client-s3'
import {
  CreateQueueCommand,
  DeleteQueueCommand,
  GetQueueAttributesCommand,
  SQSClient,
} from '@aws-sdk/client-sqs'
import type { AwsWorldOptions } from '../../shared/core/world/aws/open-aws-world.ts'
import type { QueueName } from '../../shared/core/world/ports.ts'

const queueNames: QueueName[] = ['episodes', 'alone', 'datasets', 'jobs']

/** As often a message is taken before it goes to the dead letters, as the stack sets it. */
const maxReceives = 5

export interface TestResources {
  options: Pick<AwsWorldOptions, 'table' | 'bucket' | 'queues'>
  /** The queue of episodes for long-lived workers; its dead letters are those of `episodes`. */
  lasting: string
  remove(): Promise<void>
}

/** A bucket, a table and queues of the test's own, made as the stack makes them, removed with what they hold. */
export async function makeTestResources(): Promise<TestResources> {
  const name = `espalier-test-${randomBytes(6).toString('hex')}`
  const s3 = new S3Client()
  const dynamodb = new DynamoDBClient()
  const sqs = new SQSClient({ useQueueUrlAsEndpoint: false })
  const [queues] = await Promise.all([
    makeQueues(sqs, name),
    makeTestTable(dynamodb, name),
    makeBucket(s3, name),
  ])
  const lasting = await makeQueue(sqs, `${name}-lasting`, queues.episodes.dead_letters)
  return {
    options: { table: name, bucket: name, queues },
    lasting,
    async remove() {
      const urls = Object.values(queues).flatMap(({ url, dead_letters }) => [url, dead_letters])
      await Promise.all([
        ...[...urls, lasting].map((QueueUrl) => sqs.send(new DeleteQueueCommand({ QueueUrl }))),
        dynamodb.send(new DeleteTableCommand({ TableName: name })),
        removeBucket(s3, name),
      ])
      for (const client of [s3, dynamodb, sqs]) client.destroy()
    },
  }
}

async function makeQueues(client: SQSClient, prefix: string): Promise<AwsWorldOptions['queues']> {
  const pairs = queueNames.map(async (name) => {
    const dead = await client.send(new CreateQueueCommand({ QueueName: `${prefix}-${name}-dead` }))
    const dead_letters = dead.QueueUrl ?? ''
    return [name, { url: await makeQueue(client, `${prefix}-${name}`, dead_letters), dead_letters }] as const
  })
  return Object.fromEntries(await Promise.all(pairs)) as AwsWorldOptions['queues']
}

/** @returns its address */
async function makeQueue(client: SQSClient, QueueName: string, dead_letters: string): Promise<string> {
  const asked = await client.send(
    new GetQueueAttributesCommand({ QueueUrl: dead_letters, AttributeNames: ['QueueArn'] }),
  )
  const policy = { deadLetterTargetArn: asked.Attributes?.QueueArn, maxReceiveCount: maxReceives }
  const Attributes = { RedrivePolicy: JSON.stringify(policy) }
  const { QueueUrl = '' } = await client.send(new CreateQueueCommand({ QueueName, Attributes }))
  return QueueUrl
}

/** A table for a ledger, as the stack makes it. */
export async function makeTestTable(client: DynamoDBClient, name: string): Promise<void> {
  await client.send(
    new CreateTableCommand({
      TableName: name,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [
        { AttributeName: 'pk', AttributeType: 'S' },
        { AttributeName: 'sk', AttributeType: 'S' },
      ],
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
    }),
  )
  await waitUntilTableExists({ client, maxWaitTime: 60, minDelay: 1 }, { TableName: name })
  await client.send(
    new UpdateTimeToLiveCommand({
      TableName: name,
      TimeToLiveSpecification: { Enabled: true, AttributeName: 'ttl' },
    }),
  )
}

async function makeBucket(client: S3Client, name: string): Promise<void> {
  const region = await client.config.region()
  await client.send(
    new CreateBucketCommand({
      Bucket: name,
      ...(region !== 'us-east-1' && {
        CreateBucketConfiguration: { LocationConstraint: region as 'eu-central-1' },
      }),
    }),
  )
}

async function removeBucket(client: S3Client, name: string): Promise<void> {
  for (;;) {
    const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: name }))
    if (Contents.length === 0) break
    const Objects = Contents.map(({ Key = '' }) => ({ Key }))
    await client.send(new DeleteObjectsCommand({ Bucket: name, Delete: { Objects, Quiet: true } }))
  }
  await client.send(new DeleteBucketCommand({ Bucket: name }))
}
