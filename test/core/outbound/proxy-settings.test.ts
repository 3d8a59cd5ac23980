import { describe, expect, it, test } from 'vitest'
import { checkProxy } from '../../../cli/commands/doctor.ts'
import { describeProxies, exemptLoopback, proxyFor } from '../../../shared/core/outbound/proxy-settings.ts'

const proxy = 'http://proxy:3128'
const of = (address: string, environment: Record<string, string>) =>
  proxyFor(new URL(address), environment)?.href ?? null

describe('proxyFor', () => {
  it.each([
    ['http://a.example/v1', { HTTP_PROXY: proxy }],
    ['http://a.example/v1', { http_proxy: proxy }],
    ['https://a.example/v1', { HTTPS_PROXY: proxy }],
    ['https://a.example/v1', { https_proxy: proxy }],
    ['https://a.example/v1', { HTTP_PROXY: proxy }],
    ['wss://a.example/ws', { HTTPS_PROXY: proxy, HTTP_PROXY: 'http://other:1' }],
    ['ws://a.example/ws', { HTTP_PROXY: proxy }],
    ['http://a.example/v1', { http_proxy: proxy, HTTP_PROXY: 'http://other:1' }],
    ['http://a.example/v1', { HTTP_PROXY: 'proxy:3128' }],
    ['http://10.0.0.1/v1', { HTTP_PROXY: proxy }],
    ['http://a.example/v1', { HTTP_PROXY: proxy, NO_PROXY: 'b.example, example.a a.example:81' }],
    ['http://127.0.0.1/v1', { HTTP_PROXY: proxy, ESPALIER_PROXY_LOOPBACK: '1' }],
    ['http://nota.example/v1', { HTTP_PROXY: proxy, NO_PROXY: 'a.example' }],
  ])('sends %s through it by %j', (address, environment) => {
    expect(of(address, environment)).toBe('http://proxy:3128/')
  })

  it.each([
    ['http://a.example/v1', {}],
    ['http://a.example/v1', { HTTP_PROXY: ' ' }],
    ['http://a.example/v1', { HTTPS_PROXY: proxy }],
    ['http://127.0.0.1:8000/v1', { HTTP_PROXY: proxy }],
    ['http://127.8.0.1/v1', { HTTP_PROXY: proxy }],
    ['http://localhost:8000/v1', { HTTP_PROXY: proxy }],
    ['http://a.localhost/v1', { HTTP_PROXY: proxy }],
    ['http://[::1]:8000/v1', { HTTP_PROXY: proxy }],
    ['http://a.example/v1', { HTTP_PROXY: proxy, NO_PROXY: '*' }],
    ['http://a.example/v1', { HTTP_PROXY: proxy, NO_PROXY: 'a.example' }],
    ['http://a.example/v1', { HTTP_PROXY: proxy, no_proxy: 'x,.EXAMPLE' }],
    ['http://b.a.example/v1', { HTTP_PROXY: proxy, NO_PROXY: '*.a.example' }],
    ['http://b.a.example:81/v1', { HTTP_PROXY: proxy, NO_PROXY: 'a.example:81' }],
    ['http://10.0.0.1/v1', { HTTP_PROXY: proxy, NO_PROXY: '10.0.0.1' }],
    ['http://[fd00::1]/v1', { HTTP_PROXY: proxy, NO_PROXY: '[fd00::1]' }],
  ])('sends %s directly by %j', (address, environment) => {
    expect(of(address, environment)).toBeNull()
  })

  it('names a variable that holds no proxy, and not its password', () => {
    const environment = { HTTPS_PROXY: 'socks5://me:hunter2@proxy:1080' }
    const ask = () => of('https://a.example', environment)
    expect(ask).toThrow('HTTPS_PROXY names no proxy over http or https')
    expect(ask).not.toThrow('hunter2')
    expect(checkProxy(environment)).toMatchObject({ status: 'fail' })
  })
})

test('doctor shows proxies without their passwords, and nothing if there is none', () => {
  const environment = { https_proxy: 'http://me:hunter2@proxy:3128', NO_PROXY: 'a.example' }
  expect(describeProxies(environment)).toEqual(['HTTPS_PROXY http://…@proxy:3128'])
  expect(checkProxy(environment)?.message).toBe('HTTPS_PROXY http://…@proxy:3128; not for a.example')
  expect(checkProxy({})).toBeNull()
})

test('programs that are started send nothing for this machine through the proxy, unless that is asked', () => {
  const environment: Record<string, string> = { HTTP_PROXY: proxy, NO_PROXY: 'a.example' }
  exemptLoopback(environment)
  expect(environment.no_proxy).toBe('a.example,localhost,127.0.0.1,::1')
  expect(environment.NO_PROXY).toBe(environment.no_proxy)
  const others = [
    {},
    { HTTP_PROXY: proxy, ESPALIER_PROXY_LOOPBACK: '1' },
    { HTTP_PROXY: proxy, NO_PROXY: '*' },
  ]
  for (const other of others) {
    const before = { ...other }
    exemptLoopback(other)
    expect(other).toEqual(before)
  }
})
