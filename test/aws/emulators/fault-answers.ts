import { isCall } from './fargate-front.ts'
import type { Passage, PassingRequest } from './wire-proxy.ts'

/** A service whose faults are known here. */
export type FaultyService = 's3' | 'sqs' | 'dynamodb'

/** What is done to a request: refused in one of three ways, or carried out with its answer lost. */
export type FaultKind = 'conflict' | 'throttle' | 'unavailable' | 'lost'

const jsonHeaders = { 'Content-Type': 'application/x-amz-json-1.0' }
const requestId = '00000000-0000-4000-8000-000000000000'

function json(status: number, type: string, more: object = {}): Passage {
  const answer = JSON.stringify({ __type: type, message: 'As the test says.', ...more })
  return { status, headers: { ...jsonHeaders, 'x-amzn-requestid': requestId }, answer }
}

/** S3 sends no body with the answer to a HEAD. */
function xml(request: PassingRequest, status: number, code: string): Passage {
  const answer = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>As the test says.</Message></Error>`
  const headers = { 'Content-Type': 'application/xml', 'x-amz-request-id': requestId }
  return { status, headers, answer: request.method === 'HEAD' ? '' : answer }
}

const inDynamodb = (name: string) => `com.amazonaws.dynamodb.v20120810#${name}`
const inSqs = (name: string) => `com.amazonaws.sqs#${name}`

/**
 * How a service refuses a request, in its own words on the wire; null where it would not refuse such a request so: only
 * writes meet others.
 *
 * @param pick a number from 0 up to 1, which chooses among the ways there are
 */
export function faultAnswer(
  service: FaultyService,
  kind: Exclude<FaultKind, 'lost'>,
  request: PassingRequest,
  pick: number,
): Passage | null {
  const ways = { s3: s3Faults, sqs: sqsFaults, dynamodb: dynamodbFaults }[service](request)[kind]
  return ways[Math.floor(pick * ways.length)]?.() ?? null
}

type Ways = Record<Exclude<FaultKind, 'lost'>, (() => Passage)[]>

function dynamodbFaults(request: PassingRequest): Ways {
  const isTransaction = isCall(request, 'TransactWriteItems')
  const cancelled = (code: string) => () =>
    json(400, inDynamodb('TransactionCanceledException'), reasons(request, code))
  const plain = (status: number, name: string) => () => json(status, inDynamodb(name))
  const throttles = ['ProvisionedThroughputExceededException', 'ThrottlingException', 'RequestLimitExceeded']
  return {
    conflict: isTransaction
      ? [cancelled('TransactionConflict'), plain(400, 'TransactionInProgressException')]
      : isCall(request, 'UpdateItem')
        ? [plain(400, 'TransactionConflictException')]
        : [],
    throttle: [
      ...throttles.map((name) => plain(400, name)),
      ...(isTransaction ? ['ThrottlingError', 'ProvisionedThroughputExceeded'].map(cancelled) : []),
    ],
    unavailable: [plain(500, 'InternalServerError'), plain(503, 'ServiceUnavailable')],
  }
}

/** One reason for each change of a transaction: the last met something, the others nothing. */
function reasons({ body }: PassingRequest, code: string): object {
  const { TransactItems } = JSON.parse(body.toString()) as { TransactItems: unknown[] }
  const all = TransactItems.map((_, index) => ({ Code: index === TransactItems.length - 1 ? code : 'None' }))
  return { CancellationReasons: all }
}

function s3Faults(request: PassingRequest): Ways {
  const { headers } = request
  const isConditional = headers['if-none-match'] !== undefined || headers['if-match'] !== undefined
  const writes = request.method === 'PUT' || request.method === 'POST'
  const way = (status: number, code: string) => () => xml(request, status, code)
  return {
    conflict: writes && isConditional ? [way(409, 'ConditionalRequestConflict')] : [],
    throttle: [way(503, 'SlowDown')],
    unavailable: [way(500, 'InternalError'), way(503, 'ServiceUnavailable')],
  }
}

function sqsFaults(request: PassingRequest): Ways {
  const plain = (status: number, name: string) => () => json(status, inSqs(name))
  return {
    conflict: [],
    throttle: [
      plain(403, 'RequestThrottled'),
      plain(400, 'ThrottlingException'),
      ...(isCall(request, 'SendMessageBatch') ? [() => allFailed(request)] : []),
    ],
    unavailable: [plain(500, 'InternalFailure'), plain(503, 'ServiceUnavailable')],
  }
}

/** A batch of which SQS takes nothing, which it says with 200. */
function allFailed({ body }: PassingRequest): Passage {
  const { Entries } = JSON.parse(body.toString()) as { Entries: { Id: string }[] }
  const Failed = Entries.map(({ Id }) => ({ Id, Code: 'ServiceUnavailable', SenderFault: false }))
  return { status: 200, headers: jsonHeaders, answer: JSON.stringify({ Successful: [], Failed }) }
}
