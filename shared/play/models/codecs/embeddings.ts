import { z } from 'zod'
import type { Codec } from '../codec.ts'
import type { EmbeddingRequest } from '../embedding-model.ts'
import { readInputTokens } from '../read-token-counts.ts'

const embeddingsSchema = z.object({
  data: z.array(z.object({ index: z.int().nonnegative(), embedding: z.array(z.number()).min(1) })),
})

export interface Embeddings {
  vectors: number[][]
  input_tokens: number | null
}

export const embeddingsCodec: Codec<EmbeddingRequest, Embeddings> = {
  encode: ({ model, texts }) => ({
    path: '/embeddings',
    model,
    body: { model, input: texts, encoding_format: 'float' },
  }),
  decode(body, { texts }) {
    const parsed = embeddingsSchema.safeParse(body)
    if (!parsed.success) return { wrong: 'the answer is not a list of embeddings.' }
    const { data } = parsed.data
    const wrong = findFault(data, texts.length)
    if (wrong !== null) return { wrong }
    const vectors = data.toSorted((left, right) => left.index - right.index)
    return { vectors: vectors.map(({ embedding }) => embedding), input_tokens: readInputTokens(body) }
  },
  advise: ({ status }) => (status === 200 ? 'Check that this model embeds texts, and base_url.' : null),
}

function findFault(data: z.infer<typeof embeddingsSchema>['data'], texts: number): string | null {
  const places = new Set(data.map(({ index }) => index).filter((index) => index < texts))
  if (data.length !== texts || places.size !== texts) {
    return `the answer has ${data.length} embeddings for ${texts} texts.`
  }
  const lengths = new Set(data.map(({ embedding }) => embedding.length))
  return lengths.size > 1 ? `the embeddings have different lengths: ${[...lengths].join(', ')}.` : null
}
