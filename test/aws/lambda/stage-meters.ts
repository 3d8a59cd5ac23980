import { isCall } from '../emulators/fargate-front.ts'
import type { FaultyService } from '../emulators/fault-answers.ts'
import type { FaultProxyHooks } from '../emulators/fault-proxy.ts'
import type { Passage, PassingAnswer, PassingRequest } from '../emulators/wire-proxy.ts'
import { traceMessages } from './lineage.ts'

/** A metric's name as CloudWatch has it, with the part that it is of, such as `Invocations api`. */
export type MeterName = `${string} ${string}`

/** What AWS would have counted of a stage so far, from its requests and invocations. */
export class StageMeters {
  readonly #sums = new Map<MeterName, number>()

  add(name: MeterName, amount: number): void {
    this.#sums.set(name, (this.#sums.get(name) ?? 0) + amount)
  }

  /** The sum since the stage was opened; undefined where nothing was counted. */
  sum(name: MeterName): number | undefined {
    return this.#sums.get(name)
  }

  /** One invocation of a function. @param milliseconds how long it took */
  invoked(name: string, milliseconds: number): void {
    this.add(`Invocations ${name}`, 1)
    this.add(`Duration ${name}`, milliseconds)
  }

  /** What a proxy before a service does so that its requests are counted. */
  hooksOf(service: FaultyService): FaultProxyHooks {
    const count = { s3: this.#countS3, sqs: this.#countSqs, dynamodb: this.#countDynamodb }[service]
    return {
      // What fails inside AWS is not billed; but of transactions it is counted what they met.
      observe: (request, answer) => {
        if (answer.status < 500 || service === 'dynamodb') count.call(this, request, answer)
      },
      ...(service === 'dynamodb' && { change: askForCapacity }),
      ...(service === 'sqs' && { change: traceMessages }),
    }
  }

  #countS3({ method, path }: PassingRequest): void {
    const isList = method === 'GET' && path.includes('list-type=2')
    const kind = { GET: isList ? 'List' : 'Get', PUT: 'Put', POST: 'Post', HEAD: 'Head', DELETE: 'Delete' }[
      method
    ]
    if (kind !== undefined) this.add(`${kind}Requests s3`, 1)
  }

  #countSqs(request: PassingRequest, { body }: PassingAnswer): void {
    if (isCall(request, 'SendMessageBatch'))
      this.add('NumberOfMessagesSent sqs', entriesIn(request.body, 'Entries'))
    if (isCall(request, 'DeleteMessage')) this.add('NumberOfMessagesDeleted sqs', 1)
    if (!isCall(request, 'ReceiveMessage')) return
    const received = entriesIn(body, 'Messages')
    if (received === 0) this.add('NumberOfEmptyReceives sqs', 1)
    else this.add('NumberOfMessagesReceived sqs', received)
  }

  #countDynamodb(request: PassingRequest, { body }: PassingAnswer): void {
    const answer = JSON.parse(body.toString() || '{}') as {
      ConsumedCapacity?: Capacity | Capacity[]
      CancellationReasons?: { Code?: string }[]
      __type?: string
    }
    const kind = /\.(GetItem|Query)$/.test(String(request.headers['x-amz-target'])) ? 'Read' : 'Write'
    const units = [answer.ConsumedCapacity ?? []].flat().map(({ CapacityUnits = 0 }) => CapacityUnits)
    if (units.length > 0)
      this.add(
        `Consumed${kind}CapacityUnits dynamodb`,
        units.reduce((sum, one) => sum + one, 0),
      )
    const cancelled = (answer.CancellationReasons ?? []).filter(({ Code }) => Code === 'TransactionConflict')
    const isMet = answer.__type?.endsWith('#TransactionConflictException') === true
    const conflicts = cancelled.length + Number(isMet)
    if (conflicts > 0) this.add('TransactionConflict dynamodb', conflicts)
  }
}

interface Capacity {
  CapacityUnits?: number
}

function entriesIn(body: Buffer, field: string): number {
  const entries = (JSON.parse(body.toString() || '{}') as Record<string, unknown>)[field]
  return Array.isArray(entries) ? entries.length : 0
}

/** The emulator is asked what a request took, which CloudWatch knows by itself. */
function askForCapacity(request: PassingRequest): Passage {
  if (!/\.(GetItem|Query|UpdateItem|TransactWriteItems)$/.test(String(request.headers['x-amz-target'])))
    return 'pass'
  const body = JSON.parse(request.body.toString()) as object
  return { body: JSON.stringify({ ...body, ReturnConsumedCapacity: 'TOTAL' }) }
}
