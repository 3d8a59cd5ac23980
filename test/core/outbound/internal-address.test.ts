import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createGuardedLookup } from '../../../shared/core/outbound/guarded-lookup.ts'
import { isInternalAddress, isInternalHost } from '../../../shared/core/outbound/internal-address.ts'

const within = [
  '0.0.0.0',
  '0.1.2.3',
  '10.1.2.3',
  '100.64.0.1',
  '100.127.255.255',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.8',
  '192.168.1.1',
  '198.18.0.1',
  '198.19.255.255',
  '224.0.0.1',
  '239.255.255.255',
  '255.255.255.255',
  '::',
  '::1',
  '::169.254.169.254',
  '::a9fe:a9fe',
  '::8.8.8.8',
  '::ffff:10.0.0.1',
  '::ffff:a9fe:a9fe',
  '0:0:0:0:0:ffff:7f00:1',
  '::ffff:0:10.0.0.1',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b::8.8.8.8',
  '64:ff9b:1::a9fe:a9fe',
  '64:ff9b:1:ffff::1',
  '2001::1',
  '2001:0:4136:e378:8000:63bf:3fff:fdd2',
  '2002:a9fe:a9fe::1',
  '2002:808:808::',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fe80::1%eth0',
  'febf::1',
  'fec0::1',
  'feff::1',
  'ff02::1',
]

describe.each(within)('%s', (address) => {
  test('is an internal address, and no host of a URL', () => {
    expect(isInternalAddress(address)).toBe(true)
    expect(isInternalHost(address)).toBe(true)
    expect(isInternalHost(address.includes(':') ? `[${address}]` : address)).toBe(true)
  })

  test('is not connected to, whatever else a name leads to', async () => {
    const lookup = createGuardedLookup((_name, _options, callback) =>
      callback(null, [
        { address: '8.8.8.8', family: 4 },
        { address, family: address.includes(':') ? 6 : 4 },
      ]),
    )
    const error = await new Promise((resolve) => lookup('models.example.com', { all: true }, resolve))
    expect(error).toMatchObject({ code: 'ERR_INTERNAL_ADDRESS' })
  })
})

test.each([
  '8.8.8.8',
  '9.255.255.255',
  '100.63.255.255',
  '100.128.0.1',
  '172.32.0.1',
  '198.20.0.1',
  '223.255.255.255',
  '2606:4700::1111',
  '2a00:1450:4001:800::200e',
  '::ffff:8.8.8.8',
  '::ffff:808:808',
])('%s is a public address', (address) => {
  expect(isInternalAddress(address)).toBe(false)
})

test.each([
  'https://127.0.0.1/v1',
  'https://2130706433/v1',
  'https://0x7f.1/v1',
  'https://0177.0.0.1/v1',
  'https://0xa9fea9fe/latest',
  'https://0251.0376.0251.0376/latest',
  'https://169.254.169.254./latest',
  'https://[::169.254.169.254]/latest',
  'https://[fd00::1]/v1',
  'https://localhost/v1',
  'https://LOCALHOST./v1',
  'https://models.internal/v1',
  'https://models.internal./v1',
  'https://intranet/v1',
])('%s is within the network', (address) => {
  expect(isInternalHost(new URL(address).hostname)).toBe(true)
})

test.each(['0177.0.0.1', '0x7f.1', '2130706433', '127.1', '', 'a b'])('the host "%s" is too', (host) => {
  expect(isInternalHost(host)).toBe(true)
})

test.each(['https://api.openai.com/v1', 'https://8.8.8.8/v1', 'https://[2606:4700::1111]/v1'])(
  '%s is public',
  (address) => {
    expect(isInternalHost(new URL(address).hostname)).toBe(false)
  },
)

test('an internal IPv4 address stays one in each notation and each form that holds it', () => {
  const internal = fc
    .constantFrom('10', '127')
    .chain((first) => fc.tuple(fc.constant(Number(first)), fc.nat(255), fc.nat(255), fc.nat(255)))
  fc.assert(
    fc.property(internal, (bytes) => {
      const [a, b, c, d] = bytes
      const number = a * 2 ** 24 + b * 2 ** 16 + c * 2 ** 8 + d
      const pair = (high: number, low: number) => (high * 256 + low).toString(16)
      const hex = `${pair(a, b)}:${pair(c, d)}`
      const octal = bytes.map((byte) => `0${byte.toString(8)}`).join('.')
      for (const host of [bytes.join('.'), String(number), `0x${number.toString(16)}`, octal]) {
        expect(isInternalHost(host)).toBe(true)
      }
      for (const address of [`::${hex}`, `::ffff:${hex}`, `64:ff9b::${hex}`, `2002:${hex}::1`]) {
        expect(isInternalAddress(address)).toBe(true)
      }
    }),
  )
})
