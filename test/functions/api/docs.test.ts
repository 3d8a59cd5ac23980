import { expect, test } from 'vitest'
import { openTestApi } from './open-test-api.ts'

test('the docs page loads everything from the service itself, and runs no inline script', async () => {
  const { app } = openTestApi()
  const page = await app.request('/docs')
  expect(page.status).toBe(200)
  expect(page.headers.get('Content-Type')).toBe('text/html; charset=utf-8')
  const policy = page.headers.get('Content-Security-Policy') ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).not.toMatch(/unsafe|https?:/)
  const html = await page.text()
  expect(html).not.toMatch(/<script(?![^>]*\ssrc=)|\son\w+=|https?:\/\//)
  const loaded = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => String(address))
  expect(loaded).toContain('/docs/start-docs.js')
  for (const address of loaded) {
    const answer = await app.request(address)
    expect(answer.status, address).toBe(200)
    expect((await answer.arrayBuffer()).byteLength, address).toBeGreaterThan(100)
  }
})

test('the start-up script shows our document and asks no other server', async () => {
  const script = await (await openTestApi().app.request('/docs/start-docs.js')).text()
  expect(script).toContain("'/openapi.json'")
  expect(script).toContain('validatorUrl: null')
})

test('the root leads to the docs', async () => {
  const answer = await openTestApi().app.request('/')
  expect(answer.status).toBe(302)
  expect(answer.headers.get('Location')).toBe('/docs')
})

test('files beside those of the page are not served', async () => {
  const { app } = openTestApi()
  for (const path of [
    '/docs/package.json',
    '/docs/index.html',
    '/docs/..%2Fpackage.json',
    '/docs/page.html',
  ]) {
    expect((await app.request(path)).status, path).toBe(404)
  }
})
