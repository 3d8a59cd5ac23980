import OpenAI from 'openai'
import { Agent, fetch as fetchUndici, request } from 'undici'
import type { Message } from '../shared/core/contracts/message.ts'
import { processorTime } from './figure.ts'

export interface BareCalls {
  /** Milliseconds of processor time a call. */
  perCall: number
  calls: number
  rate: number
}

export type Ask = (body: { model: string; messages: Message[] }) => Promise<unknown>

export function bareRequest(base_url: string): Ask {
  const dispatcher = new Agent({ connections: null })
  return async (body) => {
    const headers = { 'content-type': 'application/json' }
    const sent = { dispatcher, method: 'POST', headers, body: JSON.stringify(body) } as const
    const answer = await request(`${base_url}/chat/completions`, sent)
    return JSON.parse(await answer.body.text())
  }
}

export function openAiPackage(base_url: string): Ask {
  const dispatcher = new Agent({ connections: null })
  const client = new OpenAI({
    apiKey: 'none',
    baseURL: base_url,
    maxRetries: 0,
    fetch: ((address: string, init: object) => fetchUndici(address, { ...init, dispatcher })) as never,
  })
  return (body) => client.chat.completions.create(body as never)
}

/** Keeps `parallel` calls in flight, and measures for `seconds` after as many for the ramp as one call takes. */
export async function measureCalls(
  ask: Ask,
  { parallel, latency }: { parallel: number; latency: number },
  seconds: number,
): Promise<BareCalls> {
  let calls = 0
  let isOver = false
  const messages = [...Array(9).keys()].map(
    (at): Message => ({
      role: at % 2 === 0 ? 'user' : 'assistant',
      content: 'Action: get 1 oak logs. '.repeat(16),
    }),
  )
  const lanes = Array.from({ length: parallel }, async () => {
    while (!isOver) {
      await ask({ model: 'plain', messages })
      calls += 1
    }
  })
  const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))
  await pause(2000 * latency)
  const [before, start, used] = [calls, performance.now(), processorTime()]
  await pause(seconds * 1000)
  const made = calls - before
  const perCall = (processorTime() - used) / made
  const rate = (made * 1000) / (performance.now() - start)
  isOver = true
  await Promise.all(lanes)
  return { perCall, calls: made, rate }
}
