import { pythonStrip } from '../../python-text.ts'
import type { SeenElement, SeenPage, ViewportSize } from './seen-page.ts'

export interface MarkableElement {
  tag: string
  x: number
  y: number
  width: number
  height: number
  alt: string
  text: string
  isInteractable: boolean
}

const leastSidePixels = 8
const largestShare = 0.8
const longestText = 200
const missingTexts = new Set([
  ...[
    '',
    '#N/A',
    '#N/A N/A',
    '#NA',
    '-1.#IND',
    '-1.#QNAN',
    '-NaN',
    '-nan',
    '1.#IND',
    '1.#QNAN',
    '<NA>',
    'N/A',
    'NA',
  ],
  ...['NULL', 'NaN', 'None', 'n/a', 'nan', 'null'],
])

export function renderSetOfMarks(elements: readonly MarkableElement[], viewport: ViewportSize): SeenPage {
  const lines: string[] = []
  const texts = new Set<string>()
  const marked = new Map<string, SeenElement>()
  for (const element of elements.filter((each) => isMarkable(each, viewport))) {
    const content = describeContent(element)
    if (!element.isInteractable) {
      const isStyle = content.startsWith('.') && content.includes('{')
      if (content !== '' && !isStyle && !texts.has(content)) {
        lines.push(`[] [StaticText] [${content}]`)
        texts.add(content)
      }
      continue
    }
    const id = String(marked.size + 1)
    const text = `[${id}] [${element.tag}] [${content}]`
    marked.set(id, { text, bounds: [element.x, element.y, element.width, element.height] })
    if (element.width < leastSidePixels || element.height < leastSidePixels) continue
    lines.push(text)
    texts.add(content)
  }
  return { text: lines.join('\n'), elements: marked }
}

function isMarkable({ x, y, width, height }: MarkableElement, viewport: ViewportSize): boolean {
  const touches = y + height >= 0 && y <= viewport.height && x + width >= 0 && x <= viewport.width
  return touches && width * height <= largestShare * viewport.width * viewport.height
}

function describeContent({ tag, alt, text }: MarkableElement): string {
  const name = tag === 'IMG' && !missingTexts.has(alt) ? alt : ''
  if (missingTexts.has(text)) return name
  const shown = pythonStrip(text).replaceAll('\n', '').replaceAll('\t', '')
  return name + [...shown].slice(0, longestText).join('')
}
