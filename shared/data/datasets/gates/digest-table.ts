/** Words of a key: the first 128 bits of a digest, which never collide by chance for any number of rows that fits. */
const keyWords = 4
const hexOfWord = 8
const fullest = 0.7

/**
 * Maps digests to small numbers in a few flat arrays: a million of them take about 40 MB, and a Map of texts four
 * times that.
 */
export class DigestTable {
  #capacity = 1024
  #keys = new Uint32Array(this.#capacity * keyWords)
  /** 0 for a free slot, else one more than the value. */
  #values = new Uint8Array(this.#capacity)
  #size = 0

  get size(): number {
    return this.#size
  }

  /** @param digest - at least 32 digits in hex */
  get(digest: string): number | undefined {
    const value = this.#values[this.#placeOf(wordsOf(digest))] as number
    return value === 0 ? undefined : value - 1
  }

  /** @param value - 0 to 254 */
  set(digest: string, value: number): void {
    const words = wordsOf(digest)
    const place = this.#placeOf(words)
    if (this.#values[place] === 0) this.#size += 1
    this.#put(place, words, value + 1)
    if (this.#size > this.#capacity * fullest) this.#grow()
  }

  #placeOf(words: ArrayLike<number>): number {
    let place = (words[0] as number) % this.#capacity
    while (this.#values[place] !== 0 && !this.#isAt(place, words)) place = (place + 1) % this.#capacity
    return place
  }

  #isAt(place: number, words: ArrayLike<number>): boolean {
    const at = place * keyWords
    for (let word = 0; word < keyWords; word += 1) {
      if (this.#keys[at + word] !== words[word]) return false
    }
    return true
  }

  #put(place: number, words: ArrayLike<number>, stored: number): void {
    for (let word = 0; word < keyWords; word += 1) this.#keys[place * keyWords + word] = words[word] as number
    this.#values[place] = stored
  }

  #grow(): void {
    const [keys, values] = [this.#keys, this.#values]
    this.#capacity *= 2
    this.#keys = new Uint32Array(this.#capacity * keyWords)
    this.#values = new Uint8Array(this.#capacity)
    for (const [place, stored] of values.entries()) {
      if (stored === 0) continue
      const words = keys.subarray(place * keyWords, (place + 1) * keyWords)
      this.#put(this.#placeOf(words), words, stored)
    }
  }
}

function wordsOf(digest: string): number[] {
  const words: number[] = []
  for (let at = 0; at < keyWords * hexOfWord; at += hexOfWord) {
    words.push(Number.parseInt(digest.slice(at, at + hexOfWord), 16))
  }
  return words
}
