import type { Drawing } from '../drawings/drawing.ts'
import type { PaintContext } from './painting.ts'

export class SvgContext implements PaintContext {
  fillStyle: PaintContext['fillStyle'] = '#000'
  strokeStyle: PaintContext['strokeStyle'] = '#000'
  lineWidth = 1
  lineJoin: PaintContext['lineJoin'] = 'miter'
  globalAlpha = 1
  font = '10px sans-serif'
  textBaseline: PaintContext['textBaseline'] = 'alphabetic'
  direction: PaintContext['direction'] = 'ltr'
  readonly #measure: (text: string, font: string) => TextMetrics
  #path = ''
  #dash: Iterable<number> = []
  #parts: string[] = []

  constructor(measure: (text: string, font: string) => TextMetrics) {
    this.#measure = measure
  }

  clearRect(): void {
    this.#parts = []
  }

  beginPath(): void {
    this.#path = ''
  }

  moveTo(x: number, y: number): void {
    this.#path += `M${numbers(x, y)}`
  }

  lineTo(x: number, y: number): void {
    this.#path += `L${numbers(x, y)}`
  }

  bezierCurveTo(...points: [number, number, number, number, number, number]): void {
    this.#path += `C${numbers(...points)}`
  }

  /** Draws a whole circle and ignores the angles, because maps use no other arcs. */
  arc(x: number, y: number, radius: number): void {
    const half = `A${numbers(radius, radius)} 0 1 1 `
    this.#path += `M${numbers(x + radius, y)}${half}${numbers(x - radius, y)}${half}${numbers(x + radius, y)}Z`
  }

  rect(x: number, y: number, width: number, height: number): void {
    this.#path += `M${numbers(x, y)}h${numbers(width)}v${numbers(height)}h${numbers(-width)}Z`
  }

  closePath(): void {
    this.#path += 'Z'
  }

  fill(): void {
    this.#add(`fill="${escaped(String(this.fillStyle))}"`)
  }

  stroke(): void {
    const dash = [...this.#dash]
    const line = `fill="none" stroke="${escaped(String(this.strokeStyle))}" stroke-width="${numbers(this.lineWidth)}"`
    this.#add(
      `${line} stroke-linejoin="${this.lineJoin}"${dash.length > 0 ? ` stroke-dasharray="${dash.join(' ')}"` : ''}`,
    )
  }

  setLineDash(dash: Iterable<number>): void {
    this.#dash = dash
  }

  fillText(text: string, x: number, y: number): void {
    const [, weight = '400', size = '10', family = 'sans-serif'] =
      /^(\d+) ([\d.]+)px (.+)$/.exec(this.font) ?? []
    const font = `font-family="${escaped(family)}" font-size="${size}" font-weight="${weight}"`
    const place = `x="${numbers(x)}" y="${numbers(y)}"`
    this.#parts.push(
      `<text ${place} ${font} fill="${escaped(String(this.fillStyle))}">${escaped(text)}</text>`,
    )
  }

  measureText(text: string): TextMetrics {
    return this.#measure(text, this.font)
  }

  drawing({ width, height }: { width: number; height: number }, ground: string): Drawing {
    const head = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`
    const under = `<rect width="100%" height="100%" fill="${escaped(ground)}"/>`
    return { svg: `${head}${under}${this.#parts.join('')}</svg>`, width, height }
  }

  #add(look: string): void {
    if (this.#path === '') return
    const opacity = this.globalAlpha === 1 ? '' : ` opacity="${this.globalAlpha}"`
    this.#parts.push(`<path d="${this.#path}" ${look}${opacity}/>`)
  }
}

function numbers(...values: number[]): string {
  return values.map((value) => String(Math.round(value * 100) / 100)).join(' ')
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
