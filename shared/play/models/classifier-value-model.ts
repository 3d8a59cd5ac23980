import type { OpenAI } from 'openai'
import type { Price } from '../../core/contracts/endpoint-configuration.ts'
import { clipText } from '../../core/contracts/well-formed.ts'
import type { CallOptions } from './chat-model.ts'
import type { EndpointClient, ReadAnswer } from './endpoint-client.ts'
import { estimateTextTokens } from './estimate-tokens.ts'
import { flattenMessages } from './flatten-messages.ts'
import { spentOnInput } from './prices.ts'
import { readScore } from './read-score.ts'
import type { ScoreAnswer, ScoreRequest, ValueModel } from './value-model.ts'

/**
 * A trained value model behind `POST {base_url without /v1}/classify`, as vLLM (`--runner pooling`) and SGLang
 * (`--is-embedding`) serve it. Sends the conversation as one text ({@link flattenMessages}), under the names that
 * both servers know: `input` and `text`.
 *
 * Source: ExACT's `ft_value_func`; vLLM, Classification API; SGLang, native API, "Classify (reward model)".
 */
export class ClassifierValueModel implements ValueModel {
  readonly #client: EndpointClient
  readonly #price: (model: string) => Price | null

  constructor(client: EndpointClient, price: (model: string) => Price | null) {
    this.#client = client
    this.#price = price
  }

  /** @throws ModelError when the endpoint refuses, stays unreachable, or answers anything but one number. */
  score({ model, messages }: ScoreRequest, options: CallOptions): Promise<ScoreAnswer> {
    const text = flattenMessages(messages)
    const price = this.#price(model)
    const estimate = estimateTextTokens([text])
    const spentFor = (input_tokens: number) => spentOnInput(price, input_tokens)
    return this.#client.send(
      {
        model,
        bound: { tokens: estimate, cost: spentFor(estimate).cost },
        send: (client, sendOptions) =>
          client.post<unknown>(addressOf(client), { body: { model, input: text, text }, ...sendOptions }),
        read(body): ReadAnswer<ScoreAnswer> {
          const read = readScore(body)
          if (read === null) return { wrong: `the answer holds no single number: ${quote(body)}` }
          const spent = spentFor(read.prompt_tokens ?? estimate)
          const { input_tokens, cost } = spent
          return { answer: { value: read.value, model_calls: 1, input_tokens, cost }, spent }
        },
        advise: ({ status }) =>
          status === 200 ? 'A value model has one output (one label); check the model and base_url.' : null,
      },
      options,
    )
  }
}

function addressOf({ baseURL }: OpenAI): string {
  return `${baseURL.replace(/\/+$/, '').replace(/\/v1$/, '')}/classify`
}

function quote(body: unknown): string {
  const text = JSON.stringify(body) ?? String(body)
  return text.length <= 200 ? text : `${clipText(text, 200)}…`
}
