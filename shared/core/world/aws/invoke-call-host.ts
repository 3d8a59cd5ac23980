import type { LambdaClient } from '@aws-sdk/client-lambda'
import {
  type CallHostEvent,
  type HostAnswer,
  type HostCall,
  type HostCaller,
  hostAnswerSchema,
  longestHostCall,
} from '../../contracts/host-call.ts'
import { AwsConnections } from './aws-connections.ts'
import { awsCall } from './aws-error.ts'

export class AtMost {
  readonly #waiting: (() => void)[] = []
  #free: number

  constructor(most: number) {
    this.#free = most
  }

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#free > 0) this.#free -= 1
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#free += 1
    }
  }
}

/**
 * Milliseconds for which an invocation may be silent: usually, and if its host may take longer, which exceeds the
 * function's own limit.
 */
const usualSilence = 65_000
const longestSilence = 305_000
const usualTime = 30_000

/**
 * Calls hosts through the function in their network: workers stay outside of it. An invocation whose answer was lost
 * is retried, as the host protocol allows.
 */
export class InvokeCallHost implements HostCaller {
  readonly #function: string
  readonly #connections = new AwsConnections()
  readonly #atOnce: AtMost
  readonly #clients = new Map<number, () => LambdaClient>()

  /**
   * @param name the function's name
   * @param most maximum concurrent calls, so that they leave room for others if an account may run few functions
   */
  constructor(name: string, most = Number.POSITIVE_INFINITY) {
    this.#function = name
    this.#atOnce = new AtMost(most)
  }

  /** @throws EspalierError `storage_failed` if the function cannot be invoked; an error if it failed itself */
  async call(call: HostCall, signal?: AbortSignal, within = usualTime): Promise<HostAnswer> {
    // Loaded with the first call: most starts of functions call no host.
    const lambda = await import('@aws-sdk/client-lambda')
    const isLong = within > usualTime
    const silence = isLong ? longestSilence : usualSilence
    const open =
      this.#clients.get(silence) ??
      this.#connections.lazily((settings) => new lambda.LambdaClient(settings), silence)
    this.#clients.set(silence, open)
    const client = open()
    const payload: CallHostEvent = isLong ? { call, within: Math.min(within, longestHostCall) } : call
    const command = new lambda.InvokeCommand({
      FunctionName: this.#function,
      Payload: JSON.stringify(payload),
    })
    const about = {
      doing: `call the host ${call.host}`,
      resource: `the function "${this.#function}"`,
      setting: 'ESPALIER_CALL_HOST',
    }
    const send = () => client.send(command, signal === undefined ? {} : { abortSignal: signal })
    const answer = await this.#atOnce
      .run(() => awsCall(about, send))
      .catch((error: unknown) => {
        signal?.throwIfAborted()
        throw error
      })
    const text = answer.Payload?.transformToString() ?? ''
    if (answer.FunctionError !== undefined) {
      throw new Error(
        `The function "${this.#function}" failed (${answer.FunctionError}): ${text.slice(0, 300)}`,
      )
    }
    return hostAnswerSchema.parse(JSON.parse(text))
  }

  close(): Promise<void> {
    return this.#connections.close()
  }
}
