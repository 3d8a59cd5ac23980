import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  ReflectionIndex,
  type Retrievable,
  type RetrievalQuery,
} from '../../../shared/play/search/reflection-index.ts'

const embed = (...vector: number[]) => ({ model: 'm', vector })
const all = { most: 100, least: 0 }

/** The texts found, the best first. */
function find(notes: Retrievable[], query: RetrievalQuery): (string | undefined)[] {
  return new ReflectionIndex(notes).search(query).map(({ place }) => notes[place]?.text)
}

describe('by words', () => {
  const notes = ['craft a stick', 'craft a torch', 'open the fridge'].map((text) => ({ text }))
  const index = new ReflectionIndex(notes)

  test('a note scores the cosine of its words with the query’s, worked by hand', () => {
    // N = 3. idf(craft) = idf(a) = 1 + ln(4/3) = 1.287682, of a word in one text 1 + ln(4/2) = 1.693147.
    // "craft a stick": length √(2 · 1.658125 + 2.866747) = √6.182997 = 2.486563.
    // query "craft stick": length √(1.658125 + 2.866747) = √4.524872 = 2.127175.
    // First: (1.287682² + 1.693147²) / (2.486563 · 2.127175) = 4.524872 / 5.289355 = 0.855468.
    // Second: 1.287682² / (2.486563 · 2.127175) = 1.658125 / 5.289355 = 0.313483.
    expect(index.search({ text: 'Craft: stick!', ...all })).toEqual([
      { place: 0, score: expect.closeTo(0.855468, 5) },
      { place: 1, score: expect.closeTo(0.313483, 5) },
      { place: 2, score: 0 },
    ])
  })

  test('a word said twice weighs more, but not twice as much', () => {
    // One text, every idf 1 + ln(2/2) = 1: (1 + ln 2, 1) · (1, 0) / √((1 + ln 2)² + 1) = 1.693147 / 1.966408 = 0.861035
    const [twice] = new ReflectionIndex([{ text: 'go go stop' }]).search({ text: 'go', ...all })
    expect(twice?.score).toBeCloseTo(0.861035, 5)
  })

  test('words that no note has keep the score low', () => {
    // idf of an unknown word: 1 + ln(4/1) = 2.386294; query "craft zebra": length √(1.658125 + 5.694399) = 2.711554.
    // First and second: 1.658125 / (2.486563 · 2.711554) = 0.245923
    expect(index.search({ text: 'craft zebra', ...all })[0]?.score).toBeCloseTo(0.245923, 5)
    expect(index.search({ text: 'craft zebra', most: 2, least: 0.25 })).toEqual([])
  })

  test('the best come first, of equals the earlier; no more than asked for, none below the least score', () => {
    expect(find(notes, { text: 'craft a', most: 1, least: 0.25 })).toEqual(['craft a stick'])
    expect(find(notes, { text: 'craft a torch', most: 5, least: 0.25 })).toEqual([
      'craft a torch',
      'craft a stick',
    ])
  })

  test('what is not accepted does not take the place of what is', () => {
    const query = { text: 'craft a stick', most: 1, least: 0.25 }
    expect(find(notes, { ...query, accept: (place) => place !== 0 })).toEqual(['craft a torch'])
    expect(find(notes, { ...query, accept: () => false })).toEqual([])
  })

  test('no notes, no words and a query without any are found nothing for', () => {
    expect(find([], { text: 'craft', ...all })).toEqual([])
    expect(find(notes, { text: '?!', most: 5, least: 0.25 })).toEqual([])
    expect(new ReflectionIndex([{ text: '' }]).search({ text: 'craft', ...all })).toEqual([
      { place: 0, score: 0 },
    ])
  })

  test('words like those of an object’s own methods are words', () => {
    const odd = [{ text: 'constructor __proto__' }, { text: 'toString' }]
    expect(find(odd, { text: 'constructor', most: 5, least: 0.25 })).toEqual(['constructor __proto__'])
  })
})

const words = fc.constantFrom('go', 'look', 'stop', 'take', 'put', 'torch')
const texts = fc.array(
  fc.array(words, { maxLength: 8 }).map((said) => said.join(' ')),
  { maxLength: 10 },
)

test('scores are between 0 and 1, 1 for the same words, and do not depend on the order of the notes', () => {
  fc.assert(
    fc.property(texts, fc.constantFrom('go', 'look go go', 'put torch', 'unheard of'), (written, query) => {
      const scores = (order: string[]) => {
        const found = new ReflectionIndex(order.map((text) => ({ text }))).search({ text: query, ...all })
        return found.toSorted((one, other) => one.place - other.place).map(({ score }) => score)
      }
      const found = scores(written)
      expect(found).toHaveLength(written.length)
      expect(scores(written.toReversed())).toEqual(found.toReversed())
      for (const score of found) {
        expect(score).toBeGreaterThanOrEqual(0)
        expect(score).toBeLessThanOrEqual(1)
      }
      expect(scores([...written, query]).at(-1)).toBeCloseTo(1, 12)
    }),
  )
})

describe('by embeddings', () => {
  test('a note scores 2 · cos − 1 of its vector with the query’s, worked by hand', () => {
    const notes = [
      { text: 'across', embedding: embed(0, 2) },
      { text: 'near', embedding: embed(3, 4) },
      { text: 'away', embedding: embed(-1, 0) },
    ]
    const query = { text: 'across', embedding: embed(1, 0) }
    // Cosines: (0·1 + 2·0) / (2 · 1) = 0; (3·1 + 4·0) / (5 · 1) = 0.6; −1
    expect(new ReflectionIndex(notes).search({ ...query, most: 5, least: -3 })).toEqual([
      { place: 1, score: expect.closeTo(0.2, 12) },
      { place: 0, score: -1 },
      { place: 2, score: -3 },
    ])
    expect(find(notes, { ...query, most: 2, least: 0.2 - 1e-9 })).toEqual(['near'])
    expect(find(notes, { ...query, most: 2, least: 0.25 })).toEqual([])
  })

  test('without a vector of the same model on both sides, words decide', () => {
    const notes = [
      { text: 'go north', embedding: null },
      { text: 'look', embedding: embed(1, 0) },
      { text: 'stop', embedding: { model: 'other', vector: [1, 0, 0] } },
    ]
    expect(find(notes, { text: 'go north', embedding: embed(1, 0), most: 5, least: 0.25 })).toEqual([
      'go north',
      'look',
    ])
    expect(find(notes, { text: 'stop', most: 5, least: 0.25 })).toEqual(['stop'])
  })

  test('a vector of zeros is like nothing: its cosine is 0', () => {
    const index = new ReflectionIndex([{ text: 'a', embedding: embed(0, 0) }])
    expect(index.search({ text: 'a', embedding: embed(1, 0), most: 1, least: -1 })).toEqual([
      { place: 0, score: -1 },
    ])
    expect(index.search({ text: 'a', embedding: embed(1, 0), ...all })).toEqual([])
  })

  test('vectors of one model that differ in size are an error that says what to do', () => {
    const index = new ReflectionIndex([{ text: 'a', embedding: embed(1, 0, 0) }])
    expect(() => index.search({ text: 'a', embedding: embed(1, 0), ...all })).toThrow(
      expect.objectContaining({ code: 'invalid_request', param: 'roles.embedding' }),
    )
  })
})
