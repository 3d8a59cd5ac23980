import { EspalierError } from '../contracts/errors.ts'
import { LexicalIndex } from './lexical-index.ts'

/** A text's place among others, as an embedding model gives it. */
export interface Embedding {
  /** Vectors of different models have nothing to do with each other. */
  model: string
  vector: readonly number[]
}

/** What is looked for, or found: a text, and its embedding where there is one. */
export interface Retrievable {
  text: string
  embedding?: Embedding | null | undefined
}

export interface RetrievalQuery extends Retrievable {
  /** How many are found at most. */
  most: number
  /** The score below which nothing is found. */
  least: number
  /** Which places count; all unless said. */
  accept?: ((place: number) => boolean) | undefined
}

/** A note's place in the list that the index was made of, and how relevant it is to the query: at most 1. */
export interface Retrieved {
  place: number
  score: number
}

/**
 * Finds the notes of a memory that fit a situation. Made once for a set of notes, asked at every call of a model. There are
 * two scales of relevance:
 *
 * - A note and a query that both have an embedding of the same model: 2 · cos − 1, from −3 to 1. It is the reference's, which
 *   takes 1 − d of the squared distance d of unit vectors, d = 2 − 2 · cos. So its thresholds 0.25, 0.5 and 0.7 are cosines of
 *   0.625, 0.75 and 0.85.
 * - Any others, by their words: the cosine of TF-IDF vectors, from 0 to 1 ({@link LexicalIndex}). Texts that share no word have
 *   0, where embeddings of any two texts have a cosine well above it; so it is not stretched.
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
   * The notes most like the query, the best first, of equals the earlier.
   *
   * @throws EspalierError `invalid_request` where vectors of one model differ in size: its endpoint was set up differently
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

/** An embedding of length 1, or of length 0. */
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
