import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fitAll } from '../../../web/tree/camera.ts'
import { indexTree, pathTo } from '../../../web/tree/index-tree.ts'
import { layOutTree } from '../../../web/tree/layout-tree.ts'
import type { MapScene } from '../../../web/tree/map-scene.ts'
import { paintPathLabels } from '../../../web/tree/paint-path-labels.ts'
import type { Painting } from '../../../web/tree/painting.ts'
import { SvgContext } from '../../../web/tree/svg-context.ts'
import { lastMoment } from '../../../web/tree/tree-moment.ts'
import { answers, deeds, grow } from './random-tree.ts'

const size = { width: 800, height: 400 }
const palette = { surface: '#fff', text: '#000', font: 'serif' } as Painting['palette']

test('at fit the answer is named, and no label covers another or leaves the frame, which may be a part of the paper', () => {
  const margins = fc.constantFrom({ width: 0, height: 0 }, { width: 400, height: 200 })
  fc.assert(
    fc.property(answers, deeds, margins, (answer, steps, beyond) => {
      const tree = grow(answer, steps).trees.at(-1)
      if (tree === undefined) return
      const index = indexTree(tree)
      const layout = layOutTree(index, new Set())
      const moment = lastMoment(tree)
      const scene = { index, layout, moment, mostVisits: moment.visits[0] ?? 0 } as MapScene
      const context = new SvgContext((text) => ({ width: text.length * 6 }) as TextMetrics)
      const fit = fitAll(layout, size)
      const camera = { ...fit, x: fit.x + beyond.width, y: fit.y + beyond.height }
      const paper = { width: size.width + 2 * beyond.width, height: size.height + 2 * beyond.height }
      paintPathLabels({ context, camera, size: paper, beyond, palette }, scene)
      const { svg } = context.drawing(paper, '#fff')
      const texts = [...svg.matchAll(/<text [^>]*font-weight="(\d+)"[^>]*>([^<]*)</g)]
      const path = pathTo(index, moment.best).slice(1)
      expect(texts.length).toBeLessThanOrEqual(path.length)
      expect(texts.filter(([, weight]) => weight === '600')).toHaveLength(Math.min(1, path.length))

      const boxes = [...svg.matchAll(/d="M(\S+) (\S+)h(\S+)v(\S+)h/g)].map(([, ...numbers]) =>
        numbers.map(Number),
      )
      expect(boxes).toHaveLength(texts.length)
      for (const [place, [x = 0, y = 0, width = 0, height = 0]] of boxes.entries()) {
        const top = y - beyond.height
        expect(top >= 0 && top + height <= size.height && x >= beyond.width).toBe(true)
        for (const [left = 0, over = 0, wide = 0, high = 0] of boxes.slice(place + 1)) {
          const isApart = left >= x + width || x >= left + wide || over >= y + height || y >= over + high
          expect(isApart).toBe(true)
        }
      }
    }),
  )
})
