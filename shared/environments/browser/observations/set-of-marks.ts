import { pythonStrip } from '../../python-text.ts'
import type { SeenElement, SeenPage, ViewportSize } from './seen-page.ts'

/** An element that could get a mark, or a text beside them, with its box in the viewport. */
export interface MarkableElement {
  tag: string
  x: number
  y: number
  width: number
  height: number
  alt: string
  text: string
  /** Whether it can be clicked or typed into; texts get no mark. */
  isInteractable: boolean
}

/** A mark on an element smaller than this, in pixels, is not drawn. */
const leastSide = 8
/** The share of the viewport above which an element gets no mark. */
const largestShare = 0.8
/** Characters of an element's text that are shown. */
const longestText = 200
/** Texts that the reference's table reader takes for missing values. */
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

/**
 * The page as VisualWebArena's observation `image_som`: a line `[id] [TAG] [text]` for each marked element, and
 * `[] [StaticText] [text]` for the texts between them, each once. Its ids are the numbers in the marked screenshot; elements that are
 * too small to be marked have ids without a line.
 */
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
    if (element.width < leastSide || element.height < leastSide) continue
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
