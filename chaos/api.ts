import { setTimeout as delay } from 'node:timers/promises'
import type { ServiceProcess } from './service-process.ts'

const milliseconds = { between: 60, request: 30_000, patience: 600_000 }

export interface ServerFault {
  askedAt: number
  path: string
  status: number
  body: string
}

export class ServiceApi {
  readonly #service: ServiceProcess
  readonly #onFault: (fault: ServerFault) => void

  constructor(service: ServiceProcess, onFault: (fault: ServerFault) => void) {
    this.#service = service
    this.#onFault = onFault
  }

  async json<Answer>(method: string, path: string, body?: object, key?: string): Promise<Answer> {
    return JSON.parse(await this.text(method, path, body, key)) as Answer
  }

  /**
   * @param key the idempotency key
   * @param isDone asked after a lost answer, of a request without a key: if true, it is not sent again
   * @throws when the service refuses, or fails for ten minutes
   */
  async text(
    method: string,
    path: string,
    body?: object,
    key?: string,
    isDone?: () => Promise<boolean>,
  ): Promise<string> {
    const until = performance.now() + milliseconds.patience
    let last = 'it never ran'
    while (performance.now() < until) {
      const { address } = this.#service
      if (address !== null) {
        const askedAt = performance.now()
        const answer = await ask(`${address}${path}`, method, body, key)
        if ('text' in answer && answer.status < 400) return answer.text
        if ('text' in answer && answer.status < 500)
          throw new Error(`${method} ${path}: ${answer.status} ${answer.text.slice(0, 500)}`)
        last = 'text' in answer ? `${answer.status} ${answer.text.slice(0, 300)}` : answer.failed
        if ('text' in answer && this.#service.address !== null)
          this.#onFault({
            askedAt,
            path: `${method} ${path}`,
            status: answer.status,
            body: answer.text.slice(0, 300),
          })
        if (await isDone?.()) return ''
      }
      await delay(milliseconds.between)
    }
    throw new Error(`${method} ${path} had no answer for ten minutes: ${last}`)
  }
}

type Asked = { status: number; text: string } | { failed: string }

async function ask(address: string, method: string, body?: object, key?: string): Promise<Asked> {
  try {
    const response = await fetch(address, {
      method,
      signal: AbortSignal.timeout(milliseconds.request),
      headers: {
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(key !== undefined && { 'Idempotency-Key': key }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: response.status, text: await response.text() }
  } catch (error) {
    // The service was killed, or hangs: both are retried.
    return { failed: error instanceof Error ? `${error.name}: ${error.message}` : String(error) }
  }
}
