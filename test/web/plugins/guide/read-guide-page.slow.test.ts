import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { describe, expect, test } from 'vitest'
import { GuideContent } from '../../../../web/pages/guide/guide-content.tsx'
import type { GuideNode } from '../../../../web/pages/guide/guide-types.ts'
import { nodeText } from '../../../../web/pages/guide/node-text.ts'
import { highlightCode, readGuidePage } from '../../../../web/plugins/guide/read-guide-page.ts'

const docs = join(import.meta.dirname, '../../../../docs')

function show(nodes: GuideNode[]): string {
  return renderToStaticMarkup(createElement(MemoryRouter, null, createElement(GuideContent, { nodes })))
}

const read = (text: string) => readGuidePage('methods', `# Title\n\n${text}`)

test('a page has its title, its headings with anchors, and its text', () => {
  const page = read('Begin.\n\n## One path: `act`\n\nText.\n\n### Deeper\n\n## One path: `act`\n')
  expect(page.title).toBe('Title')
  expect(page.headings).toEqual([
    { id: 'one-path-act', text: 'One path: act', level: 2 },
    { id: 'deeper', text: 'Deeper', level: 3 },
    { id: 'one-path-act-1', text: 'One path: act', level: 2 },
  ])
  expect(show(page.nodes)).toContain('id="one-path-act"')
})

test('a page without a title is a mistake', () => {
  expect(() => readGuidePage('x', 'Text.')).toThrow('docs/x.md does not begin with its title')
})

test('markup is text, comments for tools are not shown, but in code they are', () => {
  const shown = show(read('<b>bold</b> <script>alert(1)</script>\n\n<!-- table: runs -->\n').nodes)
  expect(shown).toContain('&lt;script&gt;')
  expect(shown).not.toContain('<script>')
  expect(shown).not.toContain('table: runs')
  expect(show(read('```\n<!-- kept -->\n```').nodes)).toContain('kept')
})

test.each([
  ['[a](datasets.md#gates)', 'href="/guide/datasets#gates"'],
  ['[a](#limits)', 'href="/guide/methods#limits"'],
  ['[a](https://example.com)', 'href="https://example.com" rel="noreferrer"'],
  ['[the readme](../README.md)', '<code>README.md</code>'],
])('the link %s is shown as %s', (markdown, shown) => {
  expect(show(read(markdown).nodes)).toContain(shown)
})

test.each(['javascript:alert(1)', 'data:text/html,x'])('no link leads to %s', (target) => {
  const shown = show(read(`[a](${target})`).nodes)
  expect(shown).not.toContain('href')
  expect(shown).toContain(target)
})

test('a link that is not encrypted is a mistake', () => {
  expect(() => read('[a](http://example.com)')).toThrow('only https')
})

test('tables have their headings, and numbers stand to the right', () => {
  const shown = show(read('| a | b |\n|---|---:|\n| x | 1 |\n').nodes)
  expect(shown).toContain('<th scope="col">a</th>')
  expect(shown).toMatch(/<td class="[^"]+">1<\/td>/)
})

describe('code', () => {
  test('has its syntax highlighted', () => {
    expect(show(read('```sh\necho "$HOME" # home\n```').nodes)).toContain('hljs-comment')
  })

  test('in a language that is not known is text', () => {
    expect(highlightCode('a < b', 'cobol')).toEqual(['a < b'])
  })

  test.each(['sh', 'json', 'ts', 'python'])('in %s keeps every character', (language) => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (code) => {
        expect(nodeText(highlightCode(code, language))).toBe(code)
      }),
    )
  })
})

const names = (
  JSON.parse(readFileSync(join(docs, 'contents.json'), 'utf8')) as { sections: { pages: string[] }[] }
).sections.flatMap(({ pages }) => pages)

test.each(names)('docs/%s.md has nothing that the guide cannot show', (name) => {
  const { nodes, headings } = readGuidePage(name, readFileSync(join(docs, `${name}.md`), 'utf8'))
  const shown = show(nodes)
  expect(headings.filter(({ id }) => !shown.includes(`id="${id}"`))).toEqual([])
})
