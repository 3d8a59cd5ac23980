import { expect, test } from 'vitest'
import { type ObservationSettings, observePage } from '../../../containers/browser/observe-page.ts'
import { describeWithConformance, readConformance } from '../conformance-folder.ts'
import { alignWithRecorded } from './align-text.ts'
import { openRecordedPages } from './open-recorded-pages.ts'

interface Recorded {
  page: string
  kind: ObservationSettings['kind']
  viewport_only: boolean
  viewport: [number, number]
  text: string
  bounds?: Record<string, number[]>
  centers?: Record<string, number[]>
}

const load = () => readConformance<Recorded[]>('browser/observations.json')

describeWithConformance('browser/observations.json', load, (observations) => {
  const pages = openRecordedPages()

  test('holds observations', () => {
    expect(observations.length).toBeGreaterThan(0)
  })

  test.each(
    observations.map(
      (each) => [each.kind, each.page, each.viewport_only ? 'viewport' : 'whole', each] as const,
    ),
  )('%s of %s (%s) is the recorded one', async (kind, file, _part, recorded) => {
    const [width, height] = recorded.viewport
    const viewport = { width, height }
    const page = await pages.open(file, viewport)
    const seen = await observePage(page, { kind, viewport, viewportOnly: recorded.viewport_only })
    await page.context().close()
    const names = alignWithRecorded(pages.toRecorded(seen.text), recorded.text)
    const boxOf = (id: string) => seen.elements.get(names.get(id) ?? id)?.bounds
    for (const [id, box] of Object.entries(recorded.bounds ?? {})) expectNear(id, boxOf(id), box)
    for (const [id, center] of Object.entries(recorded.centers ?? {})) {
      const [x, y, w, h] = boxOf(id) ?? []
      const middle = x !== undefined && w !== undefined ? x + w / 2 : Number.NaN
      const centre = y !== undefined && h !== undefined ? y + h / 2 : Number.NaN
      expectNear(id, [middle, centre, w ?? Number.NaN, h ?? Number.NaN], center)
    }
  })
})

/**
 * Expects each figure within one pixel, in the thousandths that were recorded. On pages of texts alone they are equal to the
 * thousandth, given fonts of the same widths; the pixel is for text fields, which Chromium sizes by further figures of a font: the recorded
 * text area is one pixel wider than with the same font here.
 */
function expectNear(id: string, box: readonly number[] | undefined, recorded: readonly number[]): void {
  const thousandths = (value: number) => Math.round(value * 1000)
  const distances = recorded.map((value, index) =>
    Math.abs(thousandths(value) - thousandths(box?.[index] ?? Number.NaN)),
  )
  expect(
    distances.every((distance) => distance <= 1000),
    `the box of ${id} is ${box}, recorded as ${recorded}`,
  ).toBe(true)
}
