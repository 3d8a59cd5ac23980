import { createSocket } from 'node:dgram'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
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
  await browser.close()
  expect(reached).toEqual(expect.arrayContaining(['/fetch', '/socket', '/image', '/worker']))
  expect(reached.filter((path) => path === '/localhost' || path === 'udp')).toEqual([])
})
