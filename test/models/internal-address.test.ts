import { expect, test } from 'vitest'
import { isInternalHost } from '../../shared/models/internal-address.ts'

test.each([
  'https://127.0.0.1/v1',
  'https://2130706433/v1',
  'https://0x7f.1/v1',
  'https://10.1.2.3/v1',
  'https://172.20.0.1/v1',
  'https://192.168.1.1/v1',
  'https://169.254.169.254/latest',
  'https://100.64.0.1/v1',
  'https://[::1]/v1',
  'https://[fd00::1]/v1',
  'https://[::ffff:10.0.0.1]/v1',
  'https://localhost/v1',
  'https://models.internal/v1',
  'https://models.internal./v1',
  'https://intranet/v1',
])('%s is within the network', (address) => {
  expect(isInternalHost(new URL(address).hostname)).toBe(true)
})

test.each(['https://api.openai.com/v1', 'https://8.8.8.8/v1', 'https://[2606:4700::1111]/v1'])(
  '%s is public',
  (address) => {
    expect(isInternalHost(new URL(address).hostname)).toBe(false)
  },
)
