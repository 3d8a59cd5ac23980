import type { Page } from 'playwright-core'
import type { Tree } from '../shared/core/contracts/tree.ts'
import { type Frames, framesWhileDragging } from './page-frames.ts'

export async function measurePlainTree(page: Page, tree: Tree): Promise<Frames & { milliseconds: number }> {
  await page.goto('about:blank')
  await page.setContent('<svg id="map" width="1440" height="860"><g id="all"></g></svg>')
  const lines = new Map<number, number>()
  const places = tree.nodes.map(({ depth, parent, value }) => {
    const line = lines.get(depth) ?? 0
    lines.set(depth, line + 1)
    return { x: depth * 40 + 20, y: line * 4 + 10, parent, hue: Math.round(120 * value) }
  })
  const milliseconds = (await page.evaluate(`new Promise((resolve) => {
    const places = ${JSON.stringify(places)}
    const start = performance.now()
    const all = document.getElementById('all')
    const add = (name, attributes) => {
      const element = document.createElementNS('http://www.w3.org/2000/svg', name)
      for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
      all.append(element)
    }
    for (const { x, y, parent } of places) {
      if (parent !== null) add('line', { x1: places[parent].x, y1: places[parent].y, x2: x, y2: y, stroke: 'gray' })
    }
    for (const { x, y, hue } of places) add('circle', { cx: x, cy: y, r: 3, fill: 'hsl(' + hue + ' 60% 50%)' })
    let from = null
    addEventListener('mousedown', (event) => { from = event })
    addEventListener('mouseup', () => { from = null })
    addEventListener('mousemove', (event) => {
      if (from !== null) all.setAttribute('transform', 'translate(' + (event.x - from.x) + ' ' + (event.y - from.y) + ')')
    })
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - start)))
  })`)) as number
  const frames = await framesWhileDragging(page, { x: 0, y: 0, width: 1440, height: 860 })
  return { ...frames, milliseconds }
}
