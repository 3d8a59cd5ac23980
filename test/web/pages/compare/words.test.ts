import { describe, expect, test } from 'vitest'
import { efforts } from '../../../../web/pages/compare/effort.ts'
import { formatAmount, formatPValue, readNote } from '../../../../web/pages/compare/format-figures.ts'
import { searchesFor } from '../../../../web/pages/compare/found-run.tsx'
import { runNames } from '../../../../web/pages/compare/run-names.ts'

describe('amounts', () => {
  test('have three digits below a hundred, and are counts from there on', () => {
    expect([8.553, 88.42, 0, 5, 99.96].map(formatAmount)).toEqual(['8.55', '88.4', '0', '5', '100'])
    expect([380.1, 9310, 545_055.3, -20_000].map(formatAmount)).toEqual(['380', '9,310', '545.1 k', '-20 k'])
  })

  test('of money keep their sign', () => {
    expect(efforts.cost.format(-0.0123)).toBe('-$0.0123')
    expect(efforts.cost.format(0)).toBe('$0')
  })

  test('of chance are never 0 for what is only small', () => {
    expect([0.0001, 0.0412, 1, null].map(formatPValue)).toEqual(['<0.001', '0.041', '1.000', '–'])
  })
})

describe('names of runs', () => {
  test('are distinguished by the ends of their ids where they are the same', () => {
    const names = runNames([
      { id: 'run-01-aaaaaaaa', name: 'mcts' },
      { id: 'run-02-bbbbbbbb', name: 'mcts' },
      { id: 'run-03-cccccccc', name: 'react' },
      { id: 'run-04-dddddddd', name: null },
    ])
    expect([...names.values()]).toEqual(['mcts (aaaaaaaa)', 'mcts (bbbbbbbb)', 'react', 'run-04-dddddddd'])
  })

  test('show their control characters', () => {
    expect(runNames([{ id: 'run-1', name: 'a\u001bb' }]).get('run-1')).toBe('a␛b')
  })
})

describe('what curves were read from', () => {
  const curve = { episodes: { scored: 900, read: 100 }, tasks: 100 } as Parameters<
    typeof readNote
  >[0]['curves'][number]

  test('is all shared tasks', () => {
    expect(readNote({ curves: [curve, curve], shared_tasks: 100 })).toBe(
      'Read from the journals of 200 episodes, on all 100 shared tasks.',
    )
  })

  test('or a sample, which is said', () => {
    expect(readNote({ curves: [curve], shared_tasks: 900 })).toContain(
      'on 100 of the 900 shared tasks: a seeded sample',
    )
  })
})

describe('the search for runs', () => {
  const methods = ['act', 'react', 'mcts', 'rmcts']

  test('lists the newest where nothing is written, of the environment that is compared', () => {
    expect(searchesFor('', { environment: 'webshop', methods })).toEqual([
      { limit: 30, environment: 'webshop' },
    ])
  })

  test('looks for names, and for the methods that are meant', () => {
    expect(searchesFor('MCTS', { environment: null, methods })).toEqual([
      { limit: 30, name: 'MCTS' },
      { limit: 30, method: 'mcts' },
      { limit: 30, method: 'rmcts' },
    ])
    expect(searchesFor('night', { environment: null, methods })).toEqual([{ limit: 30, name: 'night' }])
  })
})
