import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  didYouMean,
  nearestName,
  unknownName,
} from '../../../shared/core/contracts/validation/nearest-name.ts'
import { builtinMethods } from '../../../shared/play/methods/methods.ts'

const known = [
  'react',
  'reflexion',
  'best-first',
  'tree-of-thoughts',
  'mcts',
  'rmcts',
  'textcraft',
  'webshop',
]

describe('the nearest name', () => {
  it.each([
    ['mtcs', 'mcts'],
    ['textcrfat', 'textcraft'],
    ['BestFirst', 'best-first'],
    ['tree_of_thought', 'tree-of-thoughts'],
    ['reflex', 'reflexion'],
    ['web', 'webshop'],
    ['re', null],
    ['alfworld', null],
    ['', null],
  ])('of %s is %s', (name, meant) => {
    expect(nearestName(name, known)).toBe(meant)
  })

  it('is the name itself, whatever its style', () => {
    fc.assert(
      fc.property(fc.constantFrom(...known), fc.boolean(), (name, upper) => {
        const styled = name.replaceAll('-', '_')
        expect(nearestName(upper ? styled.toUpperCase() : styled, known)).toBe(name)
      }),
    )
  })

  it('survives one slip in any method’s name', () => {
    const ids = builtinMethods.map(({ id }) => id).filter((id) => id.length > 4)
    fc.assert(
      fc.property(
        fc.constantFrom(...ids),
        fc.nat(),
        fc.constantFrom('swap', 'drop', 'double', 'replace'),
        (id, place, slip) => {
          const at = place % (id.length - 1)
          const one = id[at] ?? ''
          const two = id[at + 1] ?? ''
          const middle = { swap: two + one, drop: two, double: one + one + two, replace: `x${two}` }[slip]
          expect(nearestName(id.slice(0, at) + middle + id.slice(at + 2), [id])).toBe(id)
        },
      ),
    )
  })

  it('is always a known one, and never slow for a long name', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 5000 }), (name) => {
        const found = nearestName(name, known)
        expect(found === null || known.includes(found)).toBe(true)
      }),
    )
  })
})

it('is asked for behind the sentence, before all names', () => {
  expect(unknownName('There is no method', 'mtcs', ['react', 'mcts'])).toBe(
    'There is no method "mtcs". Did you mean "mcts"? Choose one of: react, mcts.',
  )
  expect(unknownName('There is no trainer', 'x', [])).toBe('There is no trainer "x". There is none here.')
  expect(didYouMean(7, ['7'])).toBe('')
})
