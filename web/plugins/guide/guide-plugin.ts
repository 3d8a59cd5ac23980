import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { imageSize } from 'image-size'
import type { Plugin } from 'vite'
import type { GuideNode, GuidePageContent, GuidePassage } from '../../pages/guide/guide-types.ts'
import { nodeText } from '../../pages/guide/node-text.ts'
import { readGuidePage, visitElements } from './read-guide-page.ts'

const contentsModule = 'virtual:guide'
const searchModule = 'virtual:guide/search'
const pageModule = 'virtual:guide/page/'

interface Contents {
  sections: { title: string; pages: string[] }[]
}

export function guidePlugin(docs: string): Plugin {
  function readContents(): Contents {
    return JSON.parse(readFileSync(join(docs, 'contents.json'), 'utf8'))
  }

  function readPage(name: string): GuidePageContent {
    return readGuidePage(name, readFileSync(join(docs, `${name}.md`), 'utf8'))
  }

  function contents(): string {
    const { sections } = readContents()
    const titled = sections.map(({ title, pages }) => ({
      title,
      pages: pages.map((name) => ({ name, title: readPage(name).title })),
    }))
    const loaders = sections
      .flatMap(({ pages }) => pages)
      .map((name) => `${JSON.stringify(name)}: () => import(${JSON.stringify(pageModule + name)})`)
    return `export const sections = ${JSON.stringify(titled)}\nexport const pages = { ${loaders.join(', ')} }`
  }

  function page(name: string, warn: (text: string) => void): string {
    const content = readPage(name)
    const imports: string[] = []
    const assigned: string[] = []
    visitElements(content.nodes, (element) => {
      const path = element.attributes?.src
      if (element.tag !== 'img' || path === undefined) return
      const file = join(docs, path)
      if (!existsSync(file)) {
        warn(`docs/${name}.md shows ${path}, which is not there: node scripts/make-pictures.ts makes it.`)
        element.attributes = { alt: element.attributes?.alt ?? '' }
        return
      }
      const { width, height } = imageSize(readFileSync(file))
      const picture = `picture${imports.length}`
      imports.push(`import ${picture} from ${JSON.stringify(`${file}?url`)}`)
      assigned.push(`${JSON.stringify(path)}: ${picture}`)
      element.attributes = { ...element.attributes, src: path, width: `${width}`, height: `${height}` }
    })
    return [
      ...imports,
      `const pictures = { ${assigned.join(', ')} }`,
      `const page = JSON.parse(${JSON.stringify(JSON.stringify(content))}, (key, value) => key === 'src' ? pictures[value] : value)`,
      'export { page }',
    ].join('\n')
  }

  function search(): string {
    const passages = readContents().sections.flatMap(({ pages }) =>
      pages.flatMap((name) => guidePassages(readPage(name))),
    )
    return `export const passages = ${JSON.stringify(passages)}`
  }

  return {
    name: 'guide',
    resolveId: (id) => (id.startsWith(contentsModule) ? `\0${id}` : null),
    load(resolved) {
      if (!resolved.startsWith(`\0${contentsModule}`)) return null
      const id = resolved.slice(1)
      for (const name of readContents().sections.flatMap(({ pages }) => pages)) {
        this.addWatchFile(join(docs, `${name}.md`))
      }
      if (id === contentsModule) return contents()
      if (id === searchModule) return search()
      return page(id.slice(pageModule.length), (text) => this.warn(text))
    },
  }
}

export function guidePassages(page: GuidePageContent): GuidePassage[] {
  const passages: { heading: GuidePassage['heading']; nodes: GuideNode[] }[] = [{ heading: null, nodes: [] }]
  for (const node of page.nodes) {
    if (typeof node !== 'string' && /^h[23]$/.test(node.tag)) {
      const heading = { id: node.attributes?.id ?? '', text: nodeText(node.children) }
      passages.push({ heading, nodes: [] })
    } else {
      passages.at(-1)?.nodes.push(node)
    }
  }
  return passages.map(({ heading, nodes }) => ({
    page: page.name,
    title: page.title,
    heading,
    text: nodeText(nodes).replaceAll(/\s+/g, ' ').trim(),
  }))
}
