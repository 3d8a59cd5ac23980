import { DatabaseSync } from 'node:sqlite'
import { completeProduct, type Product, type StoredProduct, searchText } from './product.ts'

export interface Catalogue {
  find(asin: string): Product | null
  search(keywords: string): readonly string[]
}

const mostWords = 64

const emptyWords = new Set(
  'a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to was will with'.split(
    ' ',
  ),
)

const mostHits = 50

/** Maximum cached searches: a tree of actions repeats them. Each takes about 2 KB. */
const mostKeptSearches = 10_000
const mostKeptProducts = 10_000

/**
 * Creates a catalogue to fill in catalogue order. Of products with one number the first counts. Products are stored
 * as text in an in-memory SQLite database, outside of JavaScript's heap. Its full-text index finds them (FTS5:
 * Porter's stemmer, BM25 with k1 = 1.2 and b = 0.75; the original's Lucene has the same stemmer and 0.9 and 0.4). Any
 * word may match. Equal scores are in catalogue order, as in Lucene. Scores are compared to nine digits, so that
 * every machine returns the same list.
 *
 * Memory: about two and a half times the text of the products, so some 5 KB for one of the public ones, and 6 GB for
 * all 1.18 million.
 */
export function createCatalogue(): { add(products: Iterable<StoredProduct>): void; catalogue: Catalogue } {
  const database = new DatabaseSync(':memory:')
  database.exec(`
    CREATE TABLE products (position INTEGER PRIMARY KEY, asin TEXT NOT NULL UNIQUE, body TEXT NOT NULL);
    CREATE VIRTUAL TABLE words USING fts5(text, content = '', tokenize = 'porter unicode61');`)
  const insert = database.prepare('INSERT OR IGNORE INTO products (asin, body) VALUES (?, ?)')
  const index = database.prepare('INSERT INTO words (rowid, text) VALUES (?, ?)')
  const select = database.prepare('SELECT body FROM products WHERE asin = ?')
  const match = database.prepare(`
    SELECT asin FROM (
      SELECT rowid AS hit, round(bm25(words), 9) AS score FROM words WHERE words MATCH ?
      ORDER BY score, hit LIMIT ${mostHits}
    ) JOIN products ON position = hit ORDER BY score, hit`)
  const products = new Map<string, Product | null>()
  const searches = new Map<string, readonly string[]>()

  function find(asin: string): Product | null {
    const row = select.get(asin)
    return row === undefined ? null : completeProduct(JSON.parse(String(row.body)) as StoredProduct)
  }

  function search(keywords: string): readonly string[] {
    const expression = searchExpression(keywords)
    return expression === null ? [] : match.all(expression).map(({ asin }) => String(asin))
  }

  return {
    add(added) {
      database.exec('BEGIN')
      for (const product of added) {
        const { changes, lastInsertRowid } = insert.run(product.asin, JSON.stringify(product))
        if (changes === 1) index.run(lastInsertRowid, searchText(product))
      }
      database.exec('COMMIT')
    },
    catalogue: {
      find: (asin) => remembered(products, mostKeptProducts, asin, find),
      search: (keywords) => remembered(searches, mostKeptSearches, keywords, search),
    },
  }
}

export function remembered<Value>(
  kept: Map<string, Value>,
  most: number,
  key: string,
  make: (key: string) => Value,
): Value {
  const known = kept.get(key)
  if (known !== undefined) return known
  const made = make(key)
  const oldest = kept.size >= most ? kept.keys().next().value : undefined
  if (oldest !== undefined) kept.delete(oldest)
  kept.set(key, made)
  return made
}

function searchExpression(keywords: string): string | null {
  const words = keywords
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu)
    ?.filter((word) => !emptyWords.has(word))
    .slice(0, mostWords)
  return words === undefined || words.length === 0 ? null : words.map((word) => `"${word}"`).join(' OR ')
}
