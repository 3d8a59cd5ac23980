import { endpointSchema } from '../../../shared/core/contracts/endpoint-configuration.ts'
import { type ModelPoolOptions, openModels } from '../../../shared/play/models/model-pool.ts'
import { fakeClock } from './fake-clock.ts'
import { fetchedTransport } from './fetched-transport.ts'

export interface SeenRequest {
  url: string
  headers: Headers
  body: Record<string, unknown>
}

/** One endpoint, `mine`, whose transport answers from a list; the last answer repeats. */
export function scriptedModels(
  answers: readonly ((body: SeenRequest['body']) => Response | Promise<Response>)[],
  endpoint: Record<string, unknown> = {},
  options: ModelPoolOptions = {},
) {
  const seen: SeenRequest[] = []
  const transport = fetchedTransport(async ({ url, headers, body: text }) => {
    const answer = answers[Math.min(seen.length, answers.length - 1)]
    const body = JSON.parse(text)
    seen.push({ url, headers: new Headers(headers), body })
    if (answer === undefined) throw new Error('The script is empty.')
    return answer(body)
  })
  const clock = fakeClock()
  const configuration = endpointSchema.parse({
    kind: 'openai',
    base_url: 'http://127.0.0.1:9/v1',
    ...endpoint,
  })
  const models = openModels(new Map([['mine', configuration]]), {
    environment: { THE_KEY: 'sk-very-secret-1234' },
    clock,
    transport,
    ...options,
  })
  return { models, model: models.model('mine'), seen, clock }
}
