import { z } from 'zod'
import { createRandom, digestText } from '../../core/random/random.ts'
import { estimateTextTokens } from '../models/estimate-tokens.ts'

const dimensions = 256

export const embeddingsRequestSchema = z.object({
  model: z.string().min(1),
  input: z.union([
    z
      .string()
      .min(1)
      .transform((text) => [text]),
    z.array(z.string().min(1)).min(1).max(2048),
  ]),
  encoding_format: z.enum(['float', 'base64']).default('float'),
})

export type EmbeddingsRequest = z.infer<typeof embeddingsRequestSchema>

export function createEmbeddings({ model, input, encoding_format }: EmbeddingsRequest) {
  const prompt_tokens = estimateTextTokens(input)
  return {
    object: 'list',
    data: input.map((text, index) => {
      const vector = embedText(text)
      return {
        object: 'embedding',
        index,
        embedding: encoding_format === 'float' ? vector : toBase64(vector),
      }
    }),
    model,
    usage: { prompt_tokens, total_tokens: prompt_tokens },
  }
}

/**
 * Embeds a text as a vector of unit length. Each word adds or subtracts one at a dimension that a hash of the word
 * selects. Texts with shared words are near; texts without are roughly orthogonal.
 */
export function embedText(text: string): number[] {
  const vector = Array.from({ length: dimensions }, () => 0)
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)) {
    const random = createRandom(digestText(word))
    const place = Math.floor(random() * dimensions)
    vector[place] = (vector[place] ?? 0) + (random() < 0.5 ? -1 : 1)
  }
  const length = Math.hypot(...vector)
  // Without words, or if they cancel out, the vector still needs a direction.
  if (length === 0) return vector.with(0, 1)
  return vector.map((value) => value / length)
}

function toBase64(vector: readonly number[]): string {
  return Buffer.from(new Float32Array(vector).buffer).toString('base64')
}
