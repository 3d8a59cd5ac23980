import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  pageArgument,
  parseHelperCall,
} from '../../../../shared/environments/browser/evaluation/call-helper.ts'

test('a call is read with its texts, its numbers and the page', () => {
  expect(parseHelperCall(`get_query_text(__page__, '.a > "b"')`, '')).toEqual({
    name: 'get_query_text',
    arguments: [pageArgument, '.a > "b"'],
  })
  expect(parseHelperCall(`f("x", 2.5)`, '')).toEqual({ name: 'f', arguments: ['x', 2.5] })
  expect(parseHelperCall('f()', '')).toEqual({ name: 'f', arguments: [] })
  expect(parseHelperCall("f('__last_url__')", 'http://a/b').arguments).toEqual(['http://a/b'])
})

test.each(['f(', "f('a') + 'b'", 'f(g())', "f('a' 'b')", '__import__("os").system("id")', 'f(x=1)', ''])(
  'nothing else is read: %s',
  (written) => {
    expect(() => parseHelperCall(written, '')).toThrow(/is not one call of a helper/)
  },
)

test('texts come through whatever is in them', () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { maxLength: 4 }), (texts) => {
      const escaped = (text: string) => text.replace(/[\\'"]/g, '\\$&').replaceAll('__last_url__', '')
      const plain = texts.filter((text) => !text.includes('__last_url__'))
      const written = `f(${plain.map((text) => `'${escaped(text)}'`).join(', ')})`
      expect(parseHelperCall(written, '').arguments).toEqual(plain)
    }),
  )
})
