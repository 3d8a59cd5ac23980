import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pythonRepr, pythonStrip } from '../../shared/environments/python-text.ts'

test.each([
  ['plain', "'plain'"],
  ["it's", `"it's"`],
  ['say "hi"', `'say "hi"'`],
  [`it's "hi"`, `'it\\'s "hi"'`],
  ['back\\slash', "'back\\\\slash'"],
  ['\t\n\r', "'\\t\\n\\r'"],
  ['\u0000\u001b\u007f\u0085\u00a0\u00ad', "'\\x00\\x1b\\x7f\\x85\\xa0\\xad'"],
  ['\u200b\u2028\u3000\ufeff', "'\\u200b\\u2028\\u3000\\ufeff'"],
  ['é中😀', "'é中😀'"],
  ['\ud800', "'\\ud800'"],
  ['\u{e0001}', "'\\U000e0001'"],
])('the repr of %j is %s', (text, repr) => {
  expect(pythonRepr(text)).toBe(repr)
})

test.each([
  [' \t\n\v\f\r a \u3000', 'a'],
  ['\u001c\u001d\u001e\u001f\u0085a\u2003\u00a0', 'a'],
  ['\ufeffa\u200b', '\ufeffa\u200b'],
  ['   ', ''],
])('%j stripped is %j', (text, stripped) => {
  expect(pythonStrip(text)).toBe(stripped)
})

test('a repr is one line of printable text in quotes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(pythonRepr(text)).toMatch(/^(['"])[^\p{C}\p{Zl}\p{Zp}]*\1$/u)
    }),
  )
})
