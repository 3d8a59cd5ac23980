import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { imageSize } from 'image-size'
import { describe, expect, test } from 'vitest'
import { guideLink, readGuidePage } from '../../../../web/plugins/guide/read-guide-page.ts'
import { documents, pageText, root } from '../../../docs/documents.ts'

const { sections } = JSON.parse(readFileSync(join(root, 'docs/contents.json'), 'utf8')) as {
  sections: { title: string; pages: string[] }[]
}
const names = sections.flatMap(({ pages }) => pages)
const anchors = new Map(
  names.map((name) => [name, new Set(readGuidePage(name, pageText(name)).headings.map(({ id }) => id))]),
)

test('every page of docs/ has its place in the contents, once', () => {
  const pages = readdirSync(join(root, 'docs')).filter((file) => file.endsWith('.md'))
  expect(names.toSorted()).toEqual(pages.map((file) => file.replace('.md', '')).toSorted())
})

test.each(names)('%s is a page of the guide, with a title and text', (name) => {
  const { title, nodes } = readGuidePage(name, pageText(name))
  expect(title.length).toBeGreaterThan(2)
  expect(nodes.length).toBeGreaterThan(3)
})

describe.each(documents)('$file', ({ file, text }) => {
  const page = /^docs\/(.+)\.md$/.exec(file)?.[1]
  const prose = text.replaceAll(/^```[\s\S]*?^```$/gm, '').replaceAll(/`[^`\n]*`/g, '')
  const links = [...prose.matchAll(/(!?)\[[^\]]*\]\(([^)\s]+)\)/g)].map(([, mark, target]) => ({
    isPicture: mark === '!',
    target: target ?? '',
  }))

  test('leads to pages, headings and files that are there', () => {
    const broken = links.filter(({ isPicture, target }) => !isPicture && !leads(page, target))
    expect(broken).toEqual([])
  })

  test('shows pictures that are there, and says what is on them', () => {
    const folder = page === undefined ? root : join(root, 'docs')
    for (const { target } of links.filter(({ isPicture }) => isPicture)) {
      const { width, height } = imageSize(readFileSync(join(folder, target)))
      expect(Math.min(width, height), target).toBeGreaterThan(100)
    }
    expect(text).not.toContain('![]')
  })
})

/** Whether a link leads somewhere; addresses in the web are not asked. */
function leads(page: string | undefined, target: string): boolean {
  const link = guideLink(page ?? 'root', page === undefined ? target.replace(/^docs\//, '') : target)
  if (link.kind === 'web') return true
  if (link.kind === 'file') return existsSync(join(root, page === undefined ? target : link.path))
  const known = anchors.get(link.page)
  if (known === undefined) return page === undefined && existsSync(join(root, target))
  return link.anchor === null || known.has(link.anchor)
}
