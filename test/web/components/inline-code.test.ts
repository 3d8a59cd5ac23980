import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { InlineCode } from '../../../web/components/inline-code.tsx'

test.each([
  ['By `auto`, or on `host`.', 'By <code>auto</code>, or on <code>host</code>.'],
  ['`a`', '<code>a</code>'],
  ['No names.', 'No names.'],
  ['It`s one tick', 'It`s one tick'],
  ['`<b>` & <i>', '<code>&lt;b&gt;</code> &amp; &lt;i&gt;'],
  ['`\u202e`', '<code>⟨U+202E⟩</code>'],
])('%j is text with names as code', (text, markup) => {
  expect(renderToStaticMarkup(createElement(InlineCode, { text }))).toBe(markup)
})
