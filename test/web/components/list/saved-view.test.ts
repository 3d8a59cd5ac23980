import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseViews, viewQuery, withoutView, withView } from '../../../../web/components/list/views-menu.tsx'

const view = fc.record({ name: fc.string({ minLength: 1, maxLength: 9 }), query: fc.string() })

test('a kept view comes back from the browser, and replaces one of its name', () => {
  fc.assert(
    fc.property(fc.array(view, { maxLength: 60 }), (all) => {
      const named = all.filter(({ name }) => name.trim() !== '')
      const kept = named.reduce(withView, [] as ReturnType<typeof withView>)
      const read = parseViews(JSON.stringify({ runs: kept })).runs ?? []
      expect(read).toEqual(kept)
      expect(new Set(read.map(({ name }) => name)).size).toBe(read.length)
      expect(read.length).toBeLessThanOrEqual(50)
      const last = named.at(-1)
      if (last !== undefined) {
        expect(read.at(-1)).toEqual({ name: last.name.trim(), query: last.query })
        expect(withoutView(read, last.name.trim()).some(({ name }) => name === last.name.trim())).toBe(false)
      }
    }),
  )
})

test.each([null, '', '{', 'null', '7', '[]', '{"runs":{"name":"x"}}', '{"runs":[null,7,{"name":1}]}'])(
  'anything else under the key is no view: %j',
  (text) => {
    expect(Object.values(parseViews(text)).flat()).toEqual([])
  },
)

test('runs that are chosen for a comparison are not a part of a view', () => {
  expect(viewQuery(new URLSearchParams('status=failed&chosen=a,b&sort=cost'))).toBe('status=failed&sort=cost')
})
