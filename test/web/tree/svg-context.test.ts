import { expect, test } from 'vitest'
import { SvgContext } from '../../../web/tree/svg-context.ts'

function contextOf(): SvgContext {
  return new SvgContext((text) => ({ width: text.length * 6 }) as TextMetrics)
}

test('shapes, lines and words are kept in the order in which they were drawn', () => {
  const context = contextOf()
  context.beginPath()
  context.moveTo(1, 2)
  context.lineTo(3.456, 4)
  context.strokeStyle = '#112233'
  context.lineWidth = 1.5
  context.globalAlpha = 0.65
  context.setLineDash([3, 2])
  context.stroke()
  context.setLineDash([])
  context.globalAlpha = 1
  context.beginPath()
  context.rect(0, 0, 4, 5)
  context.fillStyle = '#445566'
  context.fill()
  context.font = '600 12px "Segoe UI", sans-serif'
  context.fillText('craft <4> & more', 7, 8)
  const { svg, width, height } = context.drawing({ width: 40, height: 30 }, '#ffffff')
  expect([width, height]).toEqual([40, 30])
  expect(svg).toBe(
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30" viewBox="0 0 40 30">' +
      '<rect width="100%" height="100%" fill="#ffffff"/>' +
      '<path d="M1 2L3.46 4" fill="none" stroke="#112233" stroke-width="1.5" stroke-linejoin="miter" stroke-dasharray="3 2" opacity="0.65"/>' +
      '<path d="M0 0h4v5h-4Z" fill="#445566"/>' +
      '<text x="7" y="8" font-family="&quot;Segoe UI&quot;, sans-serif" font-size="12" font-weight="600" fill="#445566">craft &lt;4&gt; &amp; more</text>' +
      '</svg>',
  )
})

test('a circle is closed, nothing is drawn without a path, and what was cleared is gone', () => {
  const context = contextOf()
  context.beginPath()
  context.fill()
  expect(context.drawing({ width: 1, height: 1 }, 'none').svg).not.toContain('<path')
  context.arc(10, 10, 4)
  context.fill()
  expect(context.drawing({ width: 1, height: 1 }, 'none').svg).toContain(
    'd="M14 10A4 4 0 1 1 6 10A4 4 0 1 1 14 10Z"',
  )
  context.clearRect()
  expect(context.drawing({ width: 1, height: 1 }, 'none').svg).not.toContain('<path')
})

test('how wide words are is asked for in the font that is set', () => {
  const asked: string[] = []
  const context = new SvgContext((text, font) => {
    asked.push(`${font}: ${text}`)
    return { width: 1 } as TextMetrics
  })
  context.font = '400 9px serif'
  expect(context.measureText('look').width).toBe(1)
  expect(asked).toEqual(['400 9px serif: look'])
})
