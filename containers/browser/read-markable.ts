import type { Page } from 'playwright-core'
import type { MarkableElement } from '../../shared/environments/browser/observations/set-of-marks.ts'

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

/** The page's elements for a set of marks, in document order. Quotes are omitted as in the reference. */
export async function readMarkable(page: Page): Promise<MarkableElement[]> {
  return (await page.evaluate(script)) as MarkableElement[]
}
