import { describe, expect, test } from 'vitest'
import { EspalierError } from '../../../shared/core/contracts/errors.ts'
import { findMatches, parseTextQuery } from '../../../shared/insight/transcripts/text-query.ts'

const found = (text: string, q: string) =>
  findMatches(text, parseTextQuery(q))?.map(({ end, start }) => text.slice(start, end)) ?? null

describe('what a search finds', () => {
  test.each([
    ['Got 3 white wool', 'WOOL got', ['Got', 'wool']],
    ['Got 3 white wool', '"white wool"', ['white wool']],
    ['wool, white', '"white wool"', null],
    ['craft a bed', 'cra*', ['craft']],
    ['a craftsman crafts', 'craft', null],
    ['open drawer_1', 'drawer_1', ['drawer_1']],
    ['the file-name of it', 'file-name', ['file-name']],
    ['the file names of it', '"file name*"', null],
    ['Crème brûlée', 'creme brulee', ['Crème', 'brûlée']],
    ['e\u0301tude', 'étude', ['e\u0301tude']],
    ['ÅNGSTRÖM', 'angstrom', ['ÅNGSTRÖM']],
    ['İstanbul', 'istanbul', ['İstanbul']],
    ['打开红色的门', '红色', ['红色']],
    ['打开红色的门', '色红', null],
    ['wool wool', 'wool', ['wool', 'wool']],
    ['x '.repeat(50), 'x y', null],
    ['only this', 'or and', null],
  ])('%j, searched for %j', (text, q, expected) => {
    expect(found(text, q)).toEqual(expected)
  })
})

describe('a search that cannot be read is refused, and says what to do', () => {
  test.each([
    ['  ', 'Give at least one word'],
    ['white "wool', 'Close it'],
    ['white * wool', 'the star does not end a word'],
    ['w*l', 'the star does not end a word'],
    ['wool OR bed', '"OR" is no operator here'],
    ['wool -', 'there is no letter or digit'],
    ['""', 'there is no letter or digit'],
    [Array(21).fill('a').join(' '), 'more than the 20'],
  ])('%j', (q, why) => {
    const error = (() => {
      try {
        return parseTextQuery(q)
      } catch (thrown) {
        return thrown
      }
    })()
    expect(error).toBeInstanceOf(EspalierError)
    expect(error).toMatchObject({
      code: 'invalid_request',
      param: 'q',
      message: expect.stringContaining(why),
    })
  })
})
