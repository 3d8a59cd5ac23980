import type { Locator, Page } from 'playwright-core'

const dragged = 3000

export interface Frames {
  perSecond: number
  slow: number
}

export async function framesWhileDragging(
  page: Page,
  box: { x: number; y: number; width: number; height: number },
): Promise<Frames> {
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.evaluate(`{
    window.frameTimes = []
    const tick = (time) => { window.frameTimes.push(time); window.lastTick = requestAnimationFrame(tick) }
    requestAnimationFrame(tick)
  }`)
  const start = performance.now()
  for (let angle = 0; performance.now() - start < dragged; angle += 0.07) {
    await page.mouse.move(x + Math.sin(angle) * 0.3 * box.width, y + Math.cos(0.7 * angle) * 0.3 * box.height)
  }
  await page.mouse.up()
  return toFrames(
    (await page.evaluate('cancelAnimationFrame(window.lastTick), window.frameTimes')) as number[],
  )
}

export async function framesWhileScrolling(page: Page, element: Locator): Promise<Frames> {
  await element.scrollIntoViewIfNeeded()
  const box = await element.boundingBox()
  const times = await page.evaluate(`(async () => {
    const [from, reach, times] = [scrollY, ${Math.max(600, box?.height ?? 0)}, []]
    for (let step = 0; step <= 180; step += 1) {
      scrollTo(0, from + reach * Math.sin((step / 180) * 2 * Math.PI))
      times.push(await new Promise((resolve) => requestAnimationFrame(resolve)))
    }
    return times
  })()`)
  return toFrames(times as number[])
}

function toFrames(times: readonly number[]): Frames {
  const gaps = times
    .slice(1)
    .map((time, index) => time - (times[index] ?? time))
    .sort((one, other) => one - other)
  const seconds = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1000
  return { perSecond: gaps.length / seconds, slow: gaps[Math.floor(gaps.length * 0.95)] ?? 0 }
}
