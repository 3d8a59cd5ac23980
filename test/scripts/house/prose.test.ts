import { describe, expect, test } from 'vitest'
import { apiTexts, docBlocks, measureProse, overLimits, paragraphs } from '../../../scripts/house/prose.ts'

describe('figures of prose', () => {
  test('count openings in percent, and words and clauses in 1,000 words', () => {
    const texts = [
      'What a run holds, where there is one.',
      'Reads the file that was written by the worker today.',
    ]
    expect(measureProse(texts)).toEqual({
      texts: 2,
      words: 18,
      openings: 50,
      whatNouns: 1000 / 18,
      wheres: 1000 / 18,
      passives: 1000 / 18,
    })
  })

  test('leave questions out, except as openings', () => {
    const figures = measureProse(['See the log. In what order, and where?'])
    expect(figures).toMatchObject({ openings: 0, whatNouns: 0, wheres: 0 })
  })

  test('of no text are zero', () => {
    expect(measureProse([])).toEqual({
      texts: 0,
      words: 0,
      openings: 0,
      whatNouns: 0,
      wheres: 0,
      passives: 0,
    })
  })

  test('above a limit are named with both numbers', () => {
    expect(overLimits(measureProse(['Why it stops.']))).toEqual(['openings 100.0 (limit 4)'])
    expect(overLimits(measureProse(['Starts a stage.']))).toEqual([])
  })
})

test('doc blocks lose their stars and line ends; other comments are no doc blocks', () => {
  const source =
    '/**\n * Starts a stage.\n *\n * @param x - a number\n */\n// no\n/* no */\n/** Ends it. */\n'
  expect(docBlocks(source)).toEqual(['Starts a stage. @param x - a number', 'Ends it.'])
})

test('paragraphs of a page are its texts, list items and cells, without code and addresses', () => {
  const page =
    '# Runs\n\nSee `where` in [the guide](where.md).\n\n```sh\nwhat is this\n```\n\n- one item\n- two items\n\n| word | meaning |\n|---|---|\n| run | many episodes |\n'
  expect(paragraphs(page)).toEqual([
    'Runs',
    'See X in [the guide].',
    'one item',
    'two items',
    'word',
    'meaning',
    'run',
    'many episodes',
  ])
})

test('texts of an API document are its summaries and descriptions at any depth', () => {
  const document = {
    paths: { '/a': { get: { summary: 'Get a run', parameters: [{ description: 'Its id' }] } } },
  }
  expect(apiTexts(document)).toEqual(['Get a run', 'Its id'])
  expect(apiTexts({ properties: { description: { type: 'string' } } })).toEqual([])
})
