import { createSocket } from 'node:dgram'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createSocketServer } from 'node:net'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { launchBrowser } from '../../../containers/browser/launch-browser.ts'
import { sealContext } from '../../../containers/browser/seal-context.ts'

/** What a page tries; each try ends by itself. */
const tries = (port: number, udp: number) => `(async () => {
  const at = '127.0.0.1:${port}'
  const quiet = (work) => Promise.race([Promise.resolve().then(work).catch(() => undefined), new Promise((r) => setTimeout(r, 700))])
  await Promise.all([
    quiet(() => fetch('http://' + at + '/fetch', { mode: 'no-cors' })),
    quiet(() => fetch('http://localhost:${port}/localhost', { mode: 'no-cors' })),
    quiet(() => navigator.sendBeacon('http://' + at + '/beacon')),
    quiet(() => new Promise((r) => { const s = new WebSocket('ws://' + at + '/socket'); s.onopen = s.onclose = r })),
    quiet(() => new Promise((r) => { const i = new Image(); i.onload = i.onerror = r; i.src = 'http://' + at + '/image' })),
    quiet(() => new Promise((r) => { const s = new EventSource('http://' + at + '/events'); s.onerror = r })),
    quiet(() => new Promise((r) => {
      const f = document.createElement('iframe'); f.onload = r; f.src = 'http://' + at + '/frame'; document.body.append(f)
    })),
    quiet(() => new Promise((r) => {
      const code = "fetch('http://" + at + "/worker', { mode: 'no-cors' }).finally(() => postMessage(1)); new WebSocket('ws://" + at + "/worker-socket')"
      const w = new Worker(URL.createObjectURL(new Blob([code]))); w.onmessage = w.onerror = r
    })),
    quiet(async () => {
      const servers = [{ urls: 'stun:127.0.0.1:${udp}' }, { urls: 'turn:' + at + '?transport=tcp', username: 'a', credential: 'b' }]
      const c = new RTCPeerConnection({ iceServers: servers })
      c.createDataChannel('x'); await c.setLocalDescription(await c.createOffer())
      await new Promise((r) => setTimeout(r, 600))
    }),
  ])
})()`

const reached: string[] = []
const server = createServer((request, response) => {
  reached.push(request.url ?? '')
  response.writeHead(200, { 'content-type': 'text/html' }).end('<body>reached')
})
server.on('upgrade', (request, socket) => {
  reached.push(request.url ?? '')
  socket.destroy()
})
const datagrams = createSocket('udp4')
datagrams.on('message', () => reached.push('udp'))
const ports = () => [(server.address() as AddressInfo).port, datagrams.address().port] as const

let sealed: Browser
beforeAll(async () => {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  await new Promise<void>((bound) => datagrams.bind(0, '127.0.0.1', bound))
  sealed = await launchBrowser([], () => undefined)
})
beforeEach(() => {
  reached.length = 0
})
afterAll(async () => {
  await sealed.close()
  server.closeAllConnections()
  server.close()
  datagrams.close()
})

/** A port of its own on this machine that counts who connects, whatever they want. */
async function countConnections() {
  let connections = 0
  const listener = createSocketServer((socket) => {
    connections += 1
    socket.destroy()
  })
  await new Promise<void>((listening) => listener.listen(0, '127.0.0.1', listening))
  onTestFinished(() => {
    listener.close()
  })
  const { port } = listener.address() as AddressInfo
  return { origin: `http://127.0.0.1:${port}`, count: () => connections }
}

/** How pages reach out beside fetching: each a script that is run on a page, some of which leave it. */
const waysOut: readonly (readonly [name: string, script: (origin: string) => string])[] = [
  [
    'a form that is posted',
    (origin) =>
      `document.body.innerHTML = '<form method="post" action="${origin}/form"><input name="a" value="1"></form>'; document.forms[0].submit()`,
  ],
  ['a navigation', (origin) => `location.href = '${origin}/navigation'`],
  ['a beacon', (origin) => `navigator.sendBeacon('${origin}/beacon', 'left')`],
  ...['preconnect', 'dns-prefetch', 'prefetch', 'preload', 'modulepreload'].map(
    (rel) =>
      [
        `a link with rel=${rel}`,
        (origin: string) =>
          `document.head.append(Object.assign(document.createElement('link'), { rel: '${rel}', as: 'script', href: '${origin}/link.js' }))`,
      ] as const,
  ),
  ['a source of events', (origin) => `globalThis.events = new EventSource('${origin}/events')`],
  [
    'a service worker, and what it fetches',
    (origin) =>
      `Promise.resolve(navigator.serviceWorker?.register('/worker.js')).catch(() => undefined); navigator.serviceWorker?.register('${origin}/worker.js').catch(() => undefined)`,
  ],
]

/** A page with a service worker that would call out as soon as it is installed. */
const withWorker = (origin: string) => (address: URL) => {
  if (address.host !== '127.0.0.1:1') return undefined
  if (address.pathname !== '/worker.js') return { type: 'text/html', body: Buffer.from('<body>') }
  const code = `addEventListener('install', (event) => event.waitUntil(fetch('${origin}/from-worker', { mode: 'no-cors' })))`
  return { type: 'text/javascript', body: Buffer.from(code) }
}

test.each(waysOut)('%s reaches nothing', async (_name, script) => {
  const { origin, count } = await countConnections()
  const context = await sealed.newContext({ serviceWorkers: 'block' })
  await sealContext(context, [], withWorker(origin))
  const page = await context.newPage()
  // Loopback counts as secure, so that service workers would be allowed.
  await page.goto('http://127.0.0.1:1/')
  await page.evaluate(script(origin))
  await page.waitForTimeout(300)
  await context.close()
  expect(count()).toBe(0)
})

test('ways that always connect do so in a browser whose pages may reach that address', async () => {
  const { origin, count } = await countConnections()
  const site = new URL(origin).host
  const browser = await launchBrowser([site], () => undefined)
  onTestFinished(() => browser.close())
  const context = await browser.newContext()
  await sealContext(context, [site], withWorker(origin))
  for (const [name, script] of waysOut) {
    // Of hints and workers Chromium decides itself whether they connect.
    if (/a link|worker/.test(name)) continue
    const page = await context.newPage()
    await page.goto('http://127.0.0.1:1/')
    const before = count()
    await page.evaluate(script(origin))
    await expect.poll(count, { message: name }).toBeGreaterThan(before)
    await page.close()
  }
})

const blank = (address: URL) =>
  address.host === 'page.invalid' ? { type: 'text/html', body: Buffer.from('<body>') } : undefined

test('a page that opens connections of every kind reaches nothing', async () => {
  const context = await sealed.newContext()
  await sealContext(context, [], blank)
  const page = await context.newPage()
  await page.goto('http://page.invalid/')
  expect(await page.evaluate('typeof RTCPeerConnection')).toBe('undefined')
  await page.evaluate(tries(...ports()))
  await context.close()
  expect(reached).toEqual([])
})

test('the network alone stops what no route looks at', async () => {
  const context = await sealed.newContext()
  const page = await context.newPage()
  await page.evaluate(tries(...ports()))
  await context.close()
  expect(reached).toEqual([])
})

test('a site that is configured is reached, by sockets too, and nothing beside it', async () => {
  const [port] = ports()
  const site = `127.0.0.1:${port}`
  const browser = await launchBrowser([site], () => undefined)
  const context = await browser.newContext()
  await sealContext(context, [site], blank)
  const page = await context.newPage()
  await page.goto(`http://${site}/`)
  await page.evaluate(tries(...ports()))
  // A try is given up after some time, but goes on until the browser is closed.
  await expect.poll(() => reached).toEqual(expect.arrayContaining(['/fetch', '/socket', '/image', '/worker']))
  await browser.close()
  expect(reached.filter((path) => path === '/localhost' || path === 'udp')).toEqual([])
})
