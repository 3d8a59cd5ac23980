import { prices } from '../bench/cost/prices.ts'
import type { StageMeasures } from './meters.ts'

const million = 1e6

/** US dollars of one service, and their derivation from the counts; null if it has no count. */
export interface CostLine {
  service: string
  dollars: number | null
  counted: string
}

export function costOfCanary({ functions, dynamodb, sqs, s3, api }: StageMeasures): CostLine[] {
  const invocations = functions.reduce((sum, one) => sum + one.invocations, 0)
  const gbSeconds = functions.reduce((sum, one) => sum + one.gbSeconds, 0)
  const { reads, writes } = dynamodb
  const messages = sqs.sent + sqs.received + sqs.deleted + sqs.empty
  const of = (count: number, price: number) => (count / million) * price
  return [
    {
      service: 'Lambda',
      dollars: gbSeconds * prices.lambda.gb_second + of(invocations, prices.lambda.requests),
      counted: `${whole(gbSeconds)} GB-seconds, ${whole(invocations)} invocations`,
    },
    {
      service: 'DynamoDB',
      dollars:
        reads === null && writes === null
          ? null
          : of(reads ?? 0, prices.dynamodb.reads) + of(writes ?? 0, prices.dynamodb.writes),
      counted: `${whole(reads ?? 0)} read units, ${whole(writes ?? 0)} write units`,
    },
    {
      service: 'SQS',
      dollars: of(messages, prices.sqs.fair),
      counted: `at most: ${whole(sqs.sent)} messages sent, ${whole(sqs.received)} received, ${whole(sqs.deleted)} deleted, ${whole(sqs.empty)} empty receives, each as a request`,
    },
    {
      service: 'S3',
      dollars: s3 && of(s3.writes, prices.s3.writes) + of(s3.reads, prices.s3.reads),
      counted:
        s3 === null
          ? 'not metered: the bucket has no metrics configuration'
          : `${whole(s3.writes)} writes and lists, ${whole(s3.reads)} reads`,
    },
    {
      service: 'API',
      dollars: api.requests === null ? null : of(api.requests, prices.api.requests),
      counted: api.requests === null ? 'not metered' : `${whole(api.requests)} requests`,
    },
    {
      service: 'the rest',
      dollars: null,
      counted: 'not metered: hosts on Fargate, logs, traces, storage, traffic, CloudFront',
    },
  ]
}

function whole(count: number): string {
  return Math.round(count).toLocaleString('en-US')
}
