import { EspalierError } from '../../core/contracts/errors.ts'

export interface Embedding {
  /** Vectors of different models cannot be compared. */
  model: string
  vector: readonly number[]
}

export interface Retrievable {
  text: string
  embedding?: Embedding | null | undefined
}

export interface RetrievalQuery extends Retrievable {
  most: number
  least: number
  accept?: ((place: number) => boolean) | undefined
}

export interface Retrieved {
  place: number
  score: number
}

/**
 * Finds the notes of a memory that fit a situation. It is built once for a set of notes, and queried at each call of
 * a model. There are two scales of relevance:
 *
 * - A note and a query that both have an embedding of the same model: 2 · cos − 1, from −3 to 1. It is the
 *   reference's scale, which takes 1 − d of the squared distance d of unit vectors, d = 2 − 2 · cos. So its
 *   thresholds 0.25, 0.5 and 0.7 are cosines of 0.625, 0.75 and 0.85.
 * - Any others, by their words: the cosine of TF-IDF vectors, from 0 to 1 ({@link LexicalIndex}). It is not
 *   stretched: texts without a common word have 0, but embeddings of any two texts have a cosine well above 0.
 *
 * @see Yu et al. 2024, ExACT (arXiv 2410.02052), retrieval of reflections: k = 2 for the policy and 1 for the value
 * function, least score 0.25
 * @example
 * new ReflectionIndex([{ text: 'craft a stick' }]).search({ text: 'craft sticks', most: 2, least: 0.25 })
 */
export class ReflectionIndex {
  readonly #units: readonly (Unit | null)[]
  readonly #lexical: LexicalIndex

  constructor(notes: readonly Retrievable[]) {
    this.#units = notes.map(({ embedding }) => toUnit(embedding))
    this.#lexical = new LexicalIndex(notes.map(({ text }) => text))
  }

  /**
   * The notes most similar to the query, the best first, of equals the earlier.
   *
   * @throws EspalierError `invalid_request` if vectors of one model differ in size: its endpoint's configuration
   * changed
   */
  search({ text, embedding, most, least, accept = () => true }: RetrievalQuery): Retrieved[] {
    const lexical = this.#lexical.score(text)
    const unit = toUnit(embedding)
    return this.#units
      .flatMap((own, place) =>
        accept(place)
          ? [
              {
                place,
                score:
                  unit && own?.model === unit.model ? 2 * cosine(own, unit) - 1 : (lexical[place] as number),
              },
            ]
          : [],
      )
      .filter(({ score }) => score >= least)
      .sort((one, other) => other.score - one.score)
      .slice(0, most)
  }
}

interface Unit {
  model: string
  vector: Float64Array
}

function toUnit(embedding: Embedding | null | undefined): Unit | null {
  if (!embedding) return null
  const length = Math.sqrt(embedding.vector.reduce((sum, number) => sum + number * number, 0))
  return {
    model: embedding.model,
    vector: Float64Array.from(embedding.vector, (number) => (length === 0 ? 0 : number / length)),
  }
}

function cosine({ vector: one }: Unit, { vector: other }: Unit): number {
  if (one.length !== other.length) {
    throw new EspalierError(
      'invalid_request',
      `The memory's embeddings have ${one.length} numbers, this run's have ${other.length}. Set the embedding endpoint up as it was when the memory was written, or take another memory.`,
      { param: 'roles.embedding' },
    )
  }
  let product = 0
  for (let index = 0; index < one.length; index += 1) {
    product += (one[index] as number) * (other[index] as number)
  }
  return Math.max(-1, Math.min(1, product))
}

/**
 * Finds texts by their words: the cosine of TF-IDF vectors over the index's texts, in [0, 1], 1 for the same words
 * equally often. Words are lower-cased runs of letters and digits. A word that occurs n times in a text weighs (1 +
 * ln n) · (1 + ln((1 + N) / (1 + df))), with N texts, df of them with the word. A query's words that no text has
 * lengthen its vector, so a small overlap scores low.
 *
 * @see Manning, Raghavan and Schütze 2008, Introduction to Information Retrieval, sections 6.2 to 6.4
 */
class LexicalIndex {
  readonly #size: number
  readonly #postings = new Map<string, { text: number; weight: number }[]>()

  constructor(texts: readonly string[]) {
    this.#size = texts.length
    const counted = texts.map(countWords)
    const frequency = new Map<string, number>()
    for (const word of counted.flatMap((counts) => [...counts.keys()])) {
      frequency.set(word, (frequency.get(word) ?? 0) + 1)
    }
    for (const [text, counts] of counted.entries()) {
      for (const [word, weight] of this.#weigh(counts, (word) => frequency.get(word) ?? 0)) {
        const postings = this.#postings.get(word)
        if (postings) postings.push({ text, weight })
        else this.#postings.set(word, [{ text, weight }])
      }
    }
  }

  score(query: string): Float64Array {
    const scores = new Float64Array(this.#size)
    const weighed = this.#weigh(countWords(query), (word) => this.#postings.get(word)?.length ?? 0)
    for (const [word, own] of weighed) {
      for (const { text, weight } of this.#postings.get(word) ?? [])
        scores[text] = (scores[text] ?? 0) + own * weight
    }
    // The sum of rounded products can exceed 1 by an ulp.
    return scores.map((score) => Math.min(1, score))
  }

  #weigh(
    counts: Map<string, number>,
    frequencyOf: (word: string) => number,
  ): [word: string, weight: number][] {
    const weights = [...counts].map(([word, count]): [string, number] => [
      word,
      (1 + Math.log(count)) * (1 + Math.log((1 + this.#size) / (1 + frequencyOf(word)))),
    ])
    const length = Math.sqrt(weights.reduce((sum, [, weight]) => sum + weight * weight, 0))
    return weights.map(([word, weight]) => [word, weight / length])
  }
}

function countWords(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu))
    counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}
