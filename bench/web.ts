import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { openService } from '../local/open-service.ts'
import type { Tree } from '../shared/core/contracts/tree.ts'
import { launchChromium } from '../test/browser/launch-chromium.ts'
import { report } from './figure.ts'
import { stampFolder } from './large-folder/stamp-folder.ts'
import { type Frames, framesWhileDragging, framesWhileScrolling } from './page-frames.ts'
import { playRun } from './web-runs.ts'

const rows = 100_000
const middleRows = 10_000
const smallRows = 100
const folder = await mkdtemp(join(tmpdir(), 'espalier-bench-'))
const small = await playRun(folder, {
  name: 'small',
  method: { id: 'react' },
  tasks: { split: 'train', limit: 20 },
})
const searched = await playRun(folder, {
  name: 'large tree',
  method: { id: 'mcts', iterations: 160, samples: 6 },
  tasks: { split: 'test', limit: 1 },
})
const { large: stamped } = await stampFolder(folder, small, { runs: 0, episodes: rows })
const other = await playRun(folder, {
  name: 'middle',
  method: { id: 'react' },
  tasks: { split: 'train', limit: smallRows },
})
const { large: middle } = await stampFolder(folder, other, { runs: 0, episodes: middleRows })
const service = await openService({ folder, port: 0, work: false, log: () => undefined })
const browser = await launchChromium()
try {
  await measureFirstPage(browser)
  await measureTree(browser)
  await measureTable(browser)
  await measureRunPage(browser)
} finally {
  await browser.close()
  await service.close({ grace: 0 })
  await rm(folder, { recursive: true, force: true })
}

async function openPage(browser: Browser, scale = 1) {
  const context = await browser.newContext({
    baseURL: service.address,
    viewport: { width: 1440, height: 900 },
    deviceScaleFactor: scale,
  })
  return { page: await context.newPage(), context }
}

async function measureFirstPage(browser: Browser): Promise<void> {
  const { page, context } = await openPage(browser)
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  const own = new Set<string>()
  let bytes = 0
  session.on('Network.responseReceived', ({ requestId, response }) => {
    if (!new URL(response.url).pathname.startsWith('/v1/')) own.add(requestId)
  })
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (own.has(requestId)) bytes += encodedDataLength
  })
  const start = performance.now()
  await page.goto('/runs')
  await page.getByRole('link', { name: 'large tree' }).first().waitFor()
  const milliseconds = performance.now() - start
  await page.waitForTimeout(500)
  await context.close()
  const whole = await builtBytes()
  report({
    what: 'The first page of the dashboard, cold: headers, page, scripts, styles',
    value: `${(bytes / 1000).toFixed(0)} kB in ${own.size} files; the runs stand after ${milliseconds.toFixed(0)} ms`,
    ratio: `${((100 * bytes) / whole).toFixed(0)} % of the whole dashboard unpacked (${(whole / 1000).toFixed(0)} kB)`,
    aim: '≤ 250 kB',
  })
}

async function builtBytes(): Promise<number> {
  const files = await readdir(join(import.meta.dirname, '../web/dist'), {
    recursive: true,
    withFileTypes: true,
  })
  const own = files.filter((file) => file.isFile() && /\.(?:html|js|css)$/.test(file.name))
  const sizes = await Promise.all(
    own.map(async (file) => (await stat(join(file.parentPath, file.name))).size),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

async function measureTree(browser: Browser): Promise<void> {
  const { page, context } = await openPage(browser)
  let arrived = 0
  page.on('requestfinished', (request) => {
    if (new URL(request.url()).pathname.endsWith('/tree') || request.url().includes('tree.json'))
      arrived = performance.now()
  })
  const answer = await service.app.request(`/v1/runs/${searched}/episodes/ep-0000000/tree`)
  const place = answer.headers.get('Location')
  const tree = (await (place === null ? answer : await service.app.request(place)).json()) as Tree
  await page.goto(`/runs/${searched}/episodes/ep-0000000`)
  const map = page.locator('[data-painted]')
  await map.waitFor()
  const first = performance.now() - arrived
  const begin = performance.now()
  await page.getByRole('button', { name: /^show all/i }).click()
  await page.waitForFunction(
    `Number(document.querySelector('[data-painted]')?.getAttribute('data-painted')) >= ${tree.nodes.length}`,
  )
  const all = performance.now() - begin
  await page.waitForTimeout(500)
  const box = await map.boundingBox()
  if (box === null) throw new Error('The map is not on the page.')
  const frames = await framesWhileDragging(page, box)
  const waterfall = await dragWaterfall(page)
  await context.close()

  const { page: bare, context: besides } = await openPage(browser)
  const plain = await measurePlainTree(bare, tree)
  await bare.goto('about:blank')
  const empty = await framesWhileDragging(bare, box)
  await besides.close()
  report(
    {
      what: `A tree of ${tree.nodes.length} nodes, from its data to its picture`,
      value: `${first.toFixed(0)} ms; all its nodes at once ${all.toFixed(0)} ms after a click`,
      ratio: `all nodes in ${(all / plain.milliseconds).toFixed(1)} × the time that plain SVG takes (${plain.milliseconds.toFixed(0)} ms)`,
      aim: '≤ 1 s',
    },
    {
      what: 'Dragging it, all nodes shown',
      value: `${frames.perSecond.toFixed(0)} frames a second, 95 % within ${frames.slow.toFixed(0)} ms`,
      ratio: `${((100 * frames.perSecond) / empty.perSecond).toFixed(0)} % of an empty page's ${empty.perSecond.toFixed(0)}; plain SVG ${plain.perSecond.toFixed(0)}`,
      aim: '≥ 50 frames a second',
    },
    {
      what: `Dragging its waterfall of ${waterfall.spans} spans, zoomed in once`,
      value: `${waterfall.perSecond.toFixed(0)} frames a second, 95 % within ${waterfall.slow.toFixed(0)} ms`,
      ratio: `${((100 * waterfall.perSecond) / empty.perSecond).toFixed(0)} % of an empty page's ${empty.perSecond.toFixed(0)}`,
      aim: '95 % within 100 ms',
    },
  )
}

async function dragWaterfall(page: Page): Promise<Frames & { spans: number }> {
  await page.getByRole('tab', { name: 'Waterfall' }).click()
  const canvas = page.locator('canvas[data-painted]')
  await canvas.waitFor()
  await page.getByRole('button', { name: 'Zoom in (+)' }).click()
  const box = await canvas.boundingBox()
  if (box === null) throw new Error('The waterfall is not on the page.')
  return {
    ...(await framesWhileDragging(page, box)),
    spans: Number(await canvas.getAttribute('data-painted')),
  }
}

async function measureTable(browser: Browser): Promise<void> {
  const { page, context } = await openPage(browser)
  let requests = 0
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.endsWith('/episodes')) requests += 1
  })
  await page.goto(`/runs/${stamped}`)
  const table = page.locator(`table[aria-rowcount="${rows + 1}"]`)
  await table.getByRole('link').first().waitFor()
  const scroll = await page.evaluate(`(async () => {
    const frame = document.querySelector('table[aria-rowcount="${rows + 1}"]').closest('section')
    let most = 0
    const start = performance.now()
    for (let step = 0; step <= 200; step += 1) {
      frame.scrollTop = (frame.scrollHeight * step) / 200
      await new Promise((resolve) => requestAnimationFrame(resolve))
      most = Math.max(most, frame.querySelectorAll('tbody tr').length)
    }
    return { most, seconds: (performance.now() - start) / 1000 }
  })()`)
  const { most, seconds } = scroll as { most: number; seconds: number }
  const last = `ep-${String(rows - 1).padStart(7, '0')}`
  await table.getByRole('link', { name: last }).waitFor()
  await context.close()
  report({
    what: `The episodes of a run of ${rows} scrolled to the end in 200 steps`,
    value: `${requests} requests, ${most} rows in the page at most, ${(200 / seconds).toFixed(0)} steps a second`,
    ratio: `${((100 * requests) / (rows / 100)).toFixed(1)} % of the requests that loading all would take`,
    aim: 'not all of them loaded',
  })
}

async function measureRunPage(browser: Browser): Promise<void> {
  // The first read of a report builds it; the page is measured as everyone after that sees it.
  await service.app.request(`/v1/runs/${middle}/report`)
  const small = await timeRunPage(browser, other)
  const { page, context } = await openPage(browser)
  const start = performance.now()
  const usable = await timeToResults(page, middle)
  const grid = page.getByRole('group', { name: /^Reward by task/ })
  await grid.waitFor()
  const plots = performance.now() - start
  const cells = await grid.locator('rect').count()
  const frames = await framesWhileScrolling(page, grid)
  await page.goto('about:blank')
  await page.setContent('<div id="room" style="height: 20000px"></div>')
  const empty = await framesWhileScrolling(page, page.locator('#room'))
  await context.close()
  report(
    {
      what: `The page of a run of ${middleRows} episodes, cold: its results and its episodes`,
      value: `${usable.toFixed(0)} ms; its heat map of ${cells} cells after ${plots.toFixed(0)} ms`,
      ratio: `${(usable / small).toFixed(1)} × the time that a run of ${smallRows} takes (${small.toFixed(0)} ms)`,
      aim: '≤ 1 s',
    },
    {
      what: 'Scrolling this heat map',
      value: `${frames.perSecond.toFixed(0)} frames a second, 95 % within ${frames.slow.toFixed(0)} ms`,
      ratio: `${((100 * frames.perSecond) / empty.perSecond).toFixed(0)} % of an empty page's ${empty.perSecond.toFixed(0)}`,
      aim: '95 % within 100 ms',
    },
  )
}

async function timeToResults(page: Page, run: string): Promise<number> {
  const start = performance.now()
  await page.goto(`/runs/${run}`)
  await Promise.all([
    page.getByRole('link', { name: 'ep-0000000' }).first().waitFor(),
    page.getByRole('heading', { name: 'Results' }).waitFor(),
  ])
  return performance.now() - start
}

async function timeRunPage(browser: Browser, run: string): Promise<number> {
  const { page, context } = await openPage(browser)
  const milliseconds = await timeToResults(page, run)
  await context.close()
  return milliseconds
}

async function measurePlainTree(page: Page, tree: Tree): Promise<Frames & { milliseconds: number }> {
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
