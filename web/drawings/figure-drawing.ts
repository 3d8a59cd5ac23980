import type { Drawing } from './drawing.ts'
import { colourAt, plainColour } from './plain-colour.ts'

const namespace = 'http://www.w3.org/2000/svg'

const inherited: Record<string, string> = {
  fill: '#000000',
  'fill-opacity': '1',
  stroke: 'none',
  'stroke-width': '1px',
  'stroke-dasharray': 'none',
  'stroke-linejoin': 'miter',
  'paint-order': 'normal',
  'text-anchor': 'start',
}

const own: Record<string, string> = { opacity: '1', 'dominant-baseline': 'auto' }

const fontProperties = ['font-family', 'font-size', 'font-weight']

const undrawn = 'details, input, [data-undrawn], .visually-hidden'

const margin = 12

const sameLinePixels = 3

export function figureDrawing(figure: HTMLElement): Drawing {
  const frame = figure.getBoundingClientRect()
  const root = document.createElementNS(namespace, 'svg')
  let bottom = 0
  const add = (part: Element, end: number) => {
    root.append(part)
    bottom = Math.max(bottom, end - frame.top)
  }
  const walk = (element: Element): void => {
    if (element.matches(undrawn)) return
    if (element instanceof SVGSVGElement) {
      add(placed(element, frame), element.getBoundingClientRect().bottom)
      return
    }
    for (const child of element.childNodes) {
      if (child instanceof Element) walk(child)
      if (!(child instanceof Text)) continue
      for (const { words, place } of linesOf(child)) add(textAt(words, place, element, frame), place.bottom)
    }
  }
  walk(figure)
  const [width, height] = [Math.ceil(frame.width) + 2 * margin, Math.ceil(bottom) + 2 * margin]
  const ground = document.createElementNS(namespace, 'rect')
  setAll(ground, { x: -margin, y: -margin, width, height, fill: colourAt(figure, 'var(--surface)') })
  root.prepend(ground)
  setAll(root, { width, height, viewBox: `${-margin} ${-margin} ${width} ${height}` })
  return { svg: new XMLSerializer().serializeToString(root), width, height }
}

function placed(drawing: SVGSVGElement, frame: DOMRect): SVGElement {
  const copy = drawing.cloneNode(true) as SVGSVGElement
  const originals = [drawing, ...drawing.querySelectorAll('*')]
  const copies = [copy, ...copy.querySelectorAll('*')]
  originals.forEach((original, at) => {
    const target = copies[at]
    if (target !== undefined) inline(original, target)
  })
  const { left, top, width, height } = drawing.getBoundingClientRect()
  setAll(copy, {
    x: round(left - frame.left),
    y: round(top - frame.top),
    width: round(width),
    height: round(height),
  })
  for (const name of ['role', 'aria-label', 'aria-hidden']) copy.removeAttribute(name)
  return copy
}

function inline(original: Element, target: Element): void {
  target.removeAttribute('class')
  target.removeAttribute('style')
  const around = original.parentElement?.closest('svg') ? original.parentElement : null
  for (const [name, without] of Object.entries({ ...inherited, ...own })) {
    const value = computed(original, name)
    const before = around === null || name in own ? without : computed(around, name)
    if (value !== before) target.setAttribute(name, value)
  }
  if (original.tagName === 'svg') target.setAttribute('overflow', getComputedStyle(original).overflow)
  if (original.tagName !== 'text') return
  for (const name of fontProperties) target.setAttribute(name, computed(original, name))
}

function computed(element: Element, name: string): string {
  const value = getComputedStyle(element).getPropertyValue(name)
  return name === 'fill' || name === 'stroke' ? plainColour(value) : value
}

function textAt(words: string, { left, top, height }: DOMRect, element: Element, frame: DOMRect): SVGElement {
  const style = getComputedStyle(element)
  const text = document.createElementNS(namespace, 'text')
  text.textContent = words
  // The approximate baseline, close enough for any font.
  setAll(text, {
    x: round(left - frame.left),
    y: round(top - frame.top + height * 0.8),
    fill: plainColour(style.color),
  })
  for (const name of fontProperties) text.setAttribute(name, style.getPropertyValue(name))
  return text
}

function linesOf(text: Text): { words: string; place: DOMRect }[] {
  const lines: { words: string; place: DOMRect }[] = []
  const range = document.createRange()
  for (const { 0: word, index } of text.data.matchAll(/\S+/g)) {
    range.setStart(text, index)
    range.setEnd(text, index + word.length)
    const place = range.getClientRects()[0]
    if (place === undefined || place.width === 0) continue
    const line = lines.at(-1)
    if (line !== undefined && Math.abs(line.place.top - place.top) < sameLinePixels) line.words += ` ${word}`
    else lines.push({ words: word, place })
  }
  return lines
}

function setAll(element: Element, attributes: Record<string, string | number>): void {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value))
}

function round(pixels: number): number {
  return Math.round(pixels * 100) / 100
}
