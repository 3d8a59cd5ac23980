import { setTimeout as delay } from 'node:timers/promises'
import type { CDPSession, Page } from 'playwright-core'
import {
  type AccessibilityNode,
  renderAccessibilityTree,
} from '../../shared/environments/browser/observations/accessibility-tree.ts'
import { renderHtmlTree } from '../../shared/environments/browser/observations/html-tree.ts'
import {
  type Bounds,
  describeTabs,
  rootBounds,
  type SeenPage,
  type ViewportSize,
} from '../../shared/environments/browser/observations/seen-page.ts'
import {
  type MarkableElement,
  renderSetOfMarks,
} from '../../shared/environments/browser/observations/set-of-marks.ts'
import { measurePage } from './page-boxes.ts'

const interactable = [
  'a[href]:not(:has(img))',
  'a[href] img',
  'button',
  'input:not([type="hidden"])',
  'textarea',
  'select',
  '[tabindex]:not([tabindex="-1"])',
  '[contenteditable="true"]',
  '[role="button"]',
  '[role="link"]',
  '[role="checkbox"]',
  '[role="menuitem"]',
  '[role="tab"]',
  '[draggable="true"]',
  '.btn',
  'a[href="/notifications"]',
  'a[href="/submit"]',
  '.fa.fa-star.is-rating-item',
  'input[type="checkbox"]',
]
const texts = ['p', 'span', 'div:not(:has(*))', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'li', 'article']

const clickable = interactable.join(', ')
const selector = [...interactable, ...texts.map((text) => `:not(${clickable}):not(style) > ${text}`)].join(
  ', ',
)
const script = `(() => [...document.querySelectorAll(${JSON.stringify(selector)})].flatMap((element) => {
  const { x, y, width, height } = element.getBoundingClientRect()
  if (width === 0 || height === 0) return []
  return [{
    tag: element.tagName, x, y, width, height,
    alt: (element.getAttribute('alt') ?? '').replaceAll('"', ''),
    text: (element.textContent ?? '').replaceAll('"', ''),
    isInteractable: element.matches(${JSON.stringify(clickable)}),
  }]
}))()`

export interface ObservationSettings {
  kind: 'accessibility_tree' | 'html' | 'image_som'
  viewport: ViewportSize
  viewportOnly: boolean
  asPublished?: boolean
}

export async function observePage(page: Page, settings: ObservationSettings): Promise<SeenPage> {
  const session = await page.context().newCDPSession(page)
  try {
    const { text, elements } = await readPage(page, session, settings)
    // Marks appear without tabs, as in the prompts of the papers.
    if (settings.kind === 'image_som' && text !== '') return { text, elements }
    return { text: `${await tabsLine(page)}\n\n${text}`, elements }
  } finally {
    await session.detach().catch(() => undefined)
  }
}

async function readPage(page: Page, session: CDPSession, settings: ObservationSettings): Promise<SeenPage> {
  const { kind, viewport, viewportOnly, asPublished = false } = settings
  const shownIn = viewportOnly ? { viewport } : {}
  if (kind === 'image_som') return renderSetOfMarks(await readMarkable(page), viewport)
  if (kind === 'accessibility_tree') {
    return renderAccessibilityTree(await readAccessibility(session), { ...shownIn, asPublished })
  }
  const { strings, documents } = await session.send('DOMSnapshot.captureSnapshot', { computedStyles: [] })
  const {
    nodeName = [],
    nodeValue = [],
    attributes = [],
    parentIndex = [],
    backendNodeId = [],
  } = documents[0]?.nodes ?? {}
  const find = await measurePage(session)
  const bounds = await Promise.all(
    backendNodeId.map(async (id, index) => (parentIndex[index] === -1 ? rootBounds : find(id))),
  )
  const nodes = { nodeName, nodeValue, attributes, parentIndex, backendNodeId }
  return renderHtmlTree({ strings, nodes }, bounds, shownIn.viewport)
}

const busyPollMilliseconds = { longest: 1000, every: 20 }

async function readAccessibility(session: CDPSession): Promise<AccessibilityNode[]> {
  const nodes = await readSettledTree(session)
  const find = await measurePage(session)
  return Promise.all(nodes.map(async (node) => ({ ...node, bounds: await boundsOf(node) })))

  async function boundsOf(node: (typeof nodes)[number]): Promise<Bounds | undefined> {
    if (node.backendDOMNodeId === undefined) return undefined
    return node.role?.value === 'RootWebArea' ? rootBounds : find(node.backendDOMNodeId)
  }
}

async function readSettledTree(session: CDPSession) {
  const start = performance.now()
  for (;;) {
    const { nodes } = await session.send('Accessibility.getFullAXTree')
    const isBusy = nodes[0]?.properties?.some(({ name, value }) => name === 'busy' && Boolean(value.value))
    if (!isBusy || performance.now() - start >= busyPollMilliseconds.longest) return nodes
    await delay(busyPollMilliseconds.every)
  }
}

async function tabsLine(page: Page): Promise<string> {
  const pages = page.context().pages()
  const titles = await Promise.all(pages.map((each) => each.title()))
  return describeTabs(titles, pages.indexOf(page))
}

/** The page's elements for a set of marks, in document order. Quotes are omitted as in the reference. */
async function readMarkable(page: Page): Promise<MarkableElement[]> {
  return (await page.evaluate(script)) as MarkableElement[]
}
