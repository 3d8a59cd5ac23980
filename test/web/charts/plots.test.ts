import fc from 'fast-check'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { IntervalPlot } from '../../../web/charts/interval-plot.tsx'
import { LinePlot } from '../../../web/charts/line-plot.tsx'
import { ScatterPlot } from '../../../web/charts/scatter-plot.tsx'
import { anyEstimate, estimate } from './estimates.ts'

const format = (value: number) => value.toFixed(2)

/** Coordinates that a browser cannot read. */
const unreadable = /(NaN|Infinity|undefined|e[+-]?\d{3})/

function attributesOf(markup: string): string {
  return [...markup.matchAll(/ (?:d|x|y|x1|x2|y1|y2|cx|cy|r|transform|width|height|style)="([^"]*)"/g)]
    .map(([, value]) => value)
    .join(' ')
}

function intervals(rows: Parameters<typeof IntervalPlot>[0]['rows'], zero = false): string {
  return renderToStaticMarkup(
    createElement(IntervalPlot, { label: 'By type', rows, axis: 'success rate', zero, format }),
  )
}

describe('a plot of intervals', () => {
  test('says the numbers in a table, with the axis named', () => {
    const markup = intervals([{ name: 'gripper', estimate: estimate(0.62, 0.49, 0.74) }])
    expect(markup).toContain('<caption')
    expect(markup).toContain('0.62')
    expect(markup).toContain('[0.49, 0.74]')
    expect(markup).toContain('success rate')
  })

  test('says where there is no interval, and where there is no number', () => {
    expect(intervals([{ name: 'one', estimate: estimate(0.5) }])).toContain('no interval')
    expect(intervals([{ name: 'none', estimate: estimate(null) }])).toContain('no number yet')
  })

  test('shows differences with their sign', () => {
    expect(intervals([{ name: 'better', estimate: estimate(0.2, 0.1, 0.3) }], true)).toContain('+0.20')
    expect(intervals([{ name: 'worse', estimate: estimate(-0.2, -0.3, -0.1) }], true)).toContain(
      '[−0.30, −0.10]',
    )
  })

  test('shows a name as text, controls made visible', () => {
    const markup = intervals([{ name: '<img src=x>\u202e', estimate: estimate(1) }])
    expect(markup).not.toContain('<img')
    expect(markup).toContain('⟨U+202E⟩')
  })

  test('stands without rows', () => {
    expect(intervals([])).toContain('<table')
  })

  test('never draws at a place that is no number', () => {
    fc.assert(
      fc.property(fc.array(anyEstimate, { maxLength: 8 }), fc.boolean(), (estimates, zero) => {
        const rows = estimates.map((each, index) => ({ name: `row ${index}`, estimate: each }))
        expect(attributesOf(intervals(rows, zero))).not.toMatch(unreadable)
      }),
    )
  })
})

describe('a plot of quality against cost', () => {
  const scatter = (points: Parameters<typeof ScatterPlot>[0]['points']) =>
    renderToStaticMarkup(
      createElement(ScatterPlot, {
        label: 'Success against calls',
        points,
        xAxis: 'calls',
        yAxis: 'success rate',
        yDomain: [0, 1],
        formatX: format,
      }),
    )
  const point = { id: 'run-1', name: 'react', x: estimate(8, 6, 10), y: estimate(0.9), isOnFront: true }

  test('marks the front by a word and a ring', () => {
    expect(scatter([point])).toContain('react · front')
    expect(scatter([point]).match(/<circle/g)).toHaveLength(1)
    expect(scatter([{ ...point, isOnFront: false }])).not.toContain('<circle')
  })

  test('names what it leaves out', () => {
    expect(scatter([{ ...point, x: estimate(null) }])).toContain('a number is missing: react')
  })

  test('never draws at a place that is no number', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(anyEstimate, anyEstimate), { maxLength: 20 }), (pairs) => {
        const points = pairs.map(([x, y], index) => ({ ...point, id: `run-${index}`, x, y }))
        expect(attributesOf(scatter(points))).not.toMatch(unreadable)
      }),
    )
  })
})

describe('a plot of lines', () => {
  const lines = (series: Parameters<typeof LinePlot>[0]['series']) =>
    renderToStaticMarkup(
      createElement(LinePlot, {
        label: 'Success by calls',
        series,
        xAxis: 'model calls',
        yAxis: 'success rate',
        yDomain: [0, 1],
        formatX: format,
      }),
    )
  const points = [
    { x: 1, y: estimate(0, 0, 0.1), ended: 0 },
    { x: 2, y: estimate(0.4, 0.3, 0.6), ended: 1 },
    { x: 5, y: estimate(0.4, 0.3, 0.6), ended: 1 },
  ]

  test('reads all series at the last budget, until another is chosen', () => {
    const markup = lines([{ id: 'a', name: 'react', points }])
    expect(markup).toContain('At 5.00 model calls')
    expect(markup).toContain('0.40 [0.30, 0.60]')
    expect(markup).toContain('aria-valuetext="5.00 model calls"')
  })

  test('rings the budget by which all had ended, once for each series', () => {
    expect(lines([{ id: 'a', name: 'react', points }]).match(/<circle/g)).toHaveLength(1)
    const open = points.map((point) => ({ ...point, ended: 0.5 }))
    expect(lines([{ id: 'a', name: 'react', points: open }])).not.toContain('<circle')
  })

  test('stands with one budget, and with none', () => {
    expect(lines([{ id: 'a', name: 'react', points: points.slice(0, 1) }])).not.toContain('type="range"')
    expect(lines([{ id: 'a', name: 'react', points: [] }])).toContain('react')
    expect(lines([])).toContain('<svg')
  })

  test('never draws at a place that is no number', () => {
    const budgets = fc.uniqueArray(fc.double({ min: 0, max: 1e12, noNaN: true }), { maxLength: 12 })
    fc.assert(
      fc.property(budgets, fc.array(anyEstimate, { minLength: 12, maxLength: 12 }), (places, values) => {
        const drawn = places
          .toSorted((one, other) => one - other)
          .map((x, index) => ({ x, y: values[index] ?? estimate(null), ended: index / 12 }))
        expect(attributesOf(lines([{ id: 'a', name: 'react', points: drawn }]))).not.toMatch(unreadable)
      }),
    )
  })
})
