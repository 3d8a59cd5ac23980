import type { Page } from 'playwright-core'
import type { SentPicture } from '../../shared/core/contracts/picture.ts'
import type { SeenElement } from '../../shared/environments/browser/observations/seen-page.ts'

interface Mark {
  id: string
  x: number
  y: number
  width: number
  height: number
}

const colours = ['#d00000', '#0050c8', '#007a33', '#8a2be2', '#b35900', '#00777a']

const drawMarks = `(marks) => {
  const layer = document.createElement('div')
  layer.id = 'espalier-marks'
  layer.style.cssText = 'position:fixed;inset:0;z-index:2147483647;pointer-events:none'
  const root = layer.attachShadow({ mode: 'closed' })
  for (const [index, { id, x, y, width, height }] of marks.entries()) {
    const colour = ${JSON.stringify(colours)}[index % ${colours.length}]
    const frame = document.createElement('div')
    frame.style.cssText = 'position:absolute;box-sizing:border-box;border:1px solid ' + colour
    Object.assign(frame.style, { left: x + 'px', top: y + 'px', width: width + 'px', height: height + 'px' })
    const label = document.createElement('div')
    label.textContent = id
    label.style.cssText = 'position:absolute;font:bold 10px monospace;color:#fff;padding:0 1px;background:' + colour
    Object.assign(label.style, { left: Math.max(0, x) + 'px', top: Math.max(0, y - 11) + 'px' })
    root.append(frame, label)
  }
  document.documentElement.append(layer)
}`
const removeMarks = `document.getElementById('espalier-marks')?.remove()`

export async function capturePage(
  page: Page,
  marked?: ReadonlyMap<string, SeenElement>,
): Promise<SentPicture> {
  if (marked === undefined) return takePicture(page)
  const marks = Array.from(marked, ([id, { bounds }]) => {
    const [x = 0, y = 0, width = 0, height = 0] = bounds ?? []
    return { id, x, y, width, height } satisfies Mark
  })
  await page.evaluate(`(${drawMarks})(${JSON.stringify(marks)})`)
  try {
    return await takePicture(page)
  } finally {
    await page.evaluate(removeMarks)
  }
}

async function takePicture(page: Page): Promise<SentPicture> {
  const bytes = await page.screenshot({ type: 'png', scale: 'css', caret: 'hide', animations: 'disabled' })
  return { media_type: 'image/png', data: bytes.toString('base64') }
}
