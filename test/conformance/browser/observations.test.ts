import { expect, test } from 'vitest'
import { type ObservationSettings, observePage } from '../../../containers/browser/observe-page.ts'
import { describeWithConformance, readConformance } from '../conformance-folder.ts'
import { openRecordedPages } from './open-recorded-pages.ts'
import { expectRecordedText } from './same-text.ts'

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
    const text = pages.toRecorded(seen.text)
    expectRecordedText(text, recorded.text)
    if (text !== recorded.text) return
    for (const [id, box] of Object.entries(recorded.bounds ?? {}))
      expectNear(seen.elements.get(id)?.bounds, box)
    for (const [id, [x = 0, y = 0, w = 0, h = 0]] of Object.entries(recorded.centers ?? {})) {
      expectNear(seen.elements.get(id)?.bounds, [x - w / 2, y - h / 2, w, h])
    }
  })
})

/** Pixels. The recorded figures are rounded to three digits, so that a distance of one pixel may read as a little more. */
const mostDistance = 1.0005

function expectNear(bounds: readonly number[] | undefined, recorded: readonly number[]): void {
  const distances = recorded.map((value, index) => Math.abs(value - (bounds?.[index] ?? Number.NaN)))
  expect(
    distances.every((distance) => distance <= mostDistance),
    `${bounds} is not ${recorded}`,
  ).toBe(true)
}
