import { z } from 'zod'
import type { Price } from '../../core/contracts/endpoint-configuration.ts'
import type { CallOptions } from './chat-model.ts'
import type { EmbeddingAnswer, EmbeddingModel, EmbeddingRequest } from './embedding-model.ts'
import type { EndpointClient, ReadAnswer } from './endpoint-client.ts'
import { estimateTextTokens } from './estimate-tokens.ts'
import { spentOnInput } from './prices.ts'
import { readInputTokens } from './read-token-counts.ts'

const embeddingsSchema = z.object({
  data: z.array(z.object({ index: z.int().nonnegative(), embedding: z.array(z.number()).min(1) })),
})

export class OpenAiEmbeddingModel implements EmbeddingModel {
  readonly #client: EndpointClient
  readonly #price: (model: string) => Price | null

  constructor(client: EndpointClient, price: (model: string) => Price | null) {
    this.#client = client
    this.#price = price
  }

  /**
   * @throws ModelError when the endpoint refuses, stays unreachable, or answers anything but one vector a text, all
   * of one length and of finite numbers.
   */
  embed(request: EmbeddingRequest, options: CallOptions): Promise<EmbeddingAnswer> {
    const { model } = request
    const texts = [...request.texts]
    const price = this.#price(model)
    const estimate = estimateTextTokens(texts)
    const spentFor = (input_tokens: number) => spentOnInput(price, input_tokens)
    return this.#client.send(
      {
        model,
        bound: { tokens: estimate, cost: spentFor(estimate).cost },
        send: (client, sendOptions) =>
          client.embeddings.create({ model, input: texts, encoding_format: 'float' }, sendOptions),
        read(body): ReadAnswer<EmbeddingAnswer> {
          const parsed = embeddingsSchema.safeParse(body)
          if (!parsed.success) return { wrong: 'the answer is not a list of embeddings.' }
          const { data } = parsed.data
          const wrong = findFault(data, texts.length)
          if (wrong !== null) return { wrong }
          const spent = spentFor(readInputTokens(body) ?? estimate)
          const vectors = data.toSorted((left, right) => left.index - right.index)
          const { input_tokens, cost } = spent
          return {
            answer: {
              vectors: vectors.map(({ embedding }) => embedding),
              model_calls: 1,
              input_tokens,
              cost,
            },
            spent,
          }
        },
        advise: ({ status }) => (status === 200 ? 'Check that this model embeds texts, and base_url.' : null),
      },
      options,
    )
  }
}

function findFault(data: z.infer<typeof embeddingsSchema>['data'], texts: number): string | null {
  const places = new Set(data.map(({ index }) => index).filter((index) => index < texts))
  if (data.length !== texts || places.size !== texts) {
    return `the answer has ${data.length} embeddings for ${texts} texts.`
  }
  const lengths = new Set(data.map(({ embedding }) => embedding.length))
  return lengths.size > 1 ? `the embeddings have different lengths: ${[...lengths].join(', ')}.` : null
}
