import type { Price } from '../../core/contracts/endpoint-configuration.ts'
import type { CallPipeline } from './call-pipeline.ts'
import type { CallOptions } from './chat-model.ts'
import type { Codec } from './codec.ts'
import { type Classification, classificationCodec } from './codecs/classification.ts'
import { type Embeddings, embeddingsCodec } from './codecs/embeddings.ts'
import type { EmbeddingModel } from './embedding-model.ts'
import { estimateTextTokens } from './estimate-tokens.ts'
import { flattenMessages } from './flatten-messages.ts'
import { spentOnInput } from './prices.ts'
import type { ValueModel } from './value-model.ts'

type FindPrice = (model: string) => Price | null

/**
 * An embedding model over a pipeline.
 *
 * @throws ModelError when the endpoint refuses, stays unreachable, or answers anything but one vector a text, all of
 * one length and of finite numbers.
 */
export function createEmbeddingCalls(pipeline: CallPipeline, price: FindPrice): EmbeddingModel {
  return {
    async embed({ model, texts }, options) {
      const request = { model, texts: [...texts] }
      const parts = { codec: embeddingsCodec, texts: request.texts, price: price(model) }
      const { answer, ...counted } = await askOnInput(pipeline, request, parts, options)
      return { vectors: (answer as Embeddings).vectors, ...counted }
    },
  }
}

/**
 * A trained value model over a pipeline.
 *
 * @throws ModelError when the endpoint refuses, stays unreachable, or answers anything but one number.
 */
export function createScoreCalls(pipeline: CallPipeline, price: FindPrice): ValueModel {
  return {
    async score(request, options) {
      const texts = [flattenMessages(request.messages)]
      const parts = { codec: classificationCodec, texts, price: price(request.model) }
      const { answer, ...counted } = await askOnInput(pipeline, request, parts, options)
      return { value: (answer as Classification).value, ...counted }
    },
  }
}

function askOnInput<Request extends { model: string }, Answer extends { input_tokens: number | null }>(
  pipeline: CallPipeline,
  request: Request,
  { codec, texts, price }: { codec: Codec<Request, Answer>; texts: readonly string[]; price: Price | null },
  options: CallOptions,
) {
  const estimate = estimateTextTokens(texts)
  return pipeline.ask(
    {
      model: request.model,
      bound: { tokens: estimate, cost: spentOnInput(price, estimate).cost },
      encode: () => codec.encode(request),
      read(body) {
        const decoded = codec.decode(body, request)
        if ('wrong' in decoded) return decoded
        const spent = spentOnInput(price, decoded.input_tokens ?? estimate)
        const { input_tokens, cost } = spent
        return { answer: { answer: decoded, model_calls: 1, input_tokens, cost }, spent }
      },
      advise: (failure) => codec.advise?.(failure, request) ?? null,
    },
    options,
  )
}
