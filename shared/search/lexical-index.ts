/**
 * Finds texts by their words: the cosine of TF-IDF vectors over the texts that it was made of, in [0, 1], 1 for the same
 * words equally often. Words are lower-cased runs of letters and digits; a word that occurs n times in a text weighs
 * (1 + ln n) · (1 + ln((1 + N) / (1 + df))), with N texts, df of them with the word. A query's words that no text has
 * lengthen its vector, so little in common is a low score.
 *
 * @see Manning, Raghavan and Schütze 2008, Introduction to Information Retrieval, sections 6.2 to 6.4
 */
export class LexicalIndex {
  readonly #size: number
  /** For each word the texts that have it, with its weight in each, of unit length. */
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

  /** How alike each text is to the query, in the order of the texts. */
  score(query: string): Float64Array {
    const scores = new Float64Array(this.#size)
    const weighed = this.#weigh(countWords(query), (word) => this.#postings.get(word)?.length ?? 0)
    for (const [word, own] of weighed) {
      for (const { text, weight } of this.#postings.get(word) ?? [])
        scores[text] = (scores[text] ?? 0) + own * weight
    }
    // The sum of rounded products can pass 1 by an ulp.
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
