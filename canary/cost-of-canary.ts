import { costOf } from '../bench/cost/cost-of.ts'
import { sum } from '../bench/cost/operations.ts'
import type { StageMeasures } from './meters.ts'

/** US dollars of one service, and their derivation from the counts; null if it has no count. */
export interface CostLine {
  service: string
  dollars: number | null
  counted: string
}

export function costOfCanary({ functions, dynamodb, sqs, s3, api }: StageMeasures): CostLine[] {
  const invocations = functions.reduce((all, one) => all + one.invocations, 0)
  const gbSeconds = functions.reduce((all, one) => all + one.gbSeconds, 0)
  const { reads, writes } = dynamodb
  const messages = sqs.sent + sqs.received + sqs.deleted + sqs.empty
  const cost = costOf(
    sum({
      lambda_gb_seconds: gbSeconds,
      lambda_requests: invocations,
      ledger_reads: reads ?? 0,
      ledger_writes: writes ?? 0,
      queue_requests: messages,
      s3_writes: s3?.writes ?? 0,
      s3_reads: s3?.reads ?? 0,
      api_requests: api.requests ?? 0,
    }),
  )
  return [
    {
      service: 'Lambda',
      dollars: cost.lambda,
      counted: `${whole(gbSeconds)} GB-seconds, ${whole(invocations)} invocations`,
    },
    {
      service: 'DynamoDB',
      dollars: reads === null && writes === null ? null : cost.dynamodb,
      counted: `${whole(reads ?? 0)} read units, ${whole(writes ?? 0)} write units`,
    },
    {
      service: 'SQS',
      dollars: cost.sqs,
      counted: `at most: ${whole(sqs.sent)} messages sent, ${whole(sqs.received)} received, ${whole(sqs.deleted)} deleted, ${whole(sqs.empty)} empty receives, each as a request`,
    },
    {
      service: 'S3',
      dollars: s3 && cost.s3,
      counted:
        s3 === null
          ? 'not metered: the bucket has no metrics configuration'
          : `${whole(s3.writes)} writes and lists, ${whole(s3.reads)} reads`,
    },
    {
      service: 'API',
      dollars: api.requests === null ? null : cost.api,
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
