import { describe, expect, test } from 'vitest'
import { signAddress, verifySignature } from '../../../../shared/core/world/local/signed-address.ts'
import { openTestWorld, testFolder } from './local-test-world.ts'

const secret = new Uint8Array(32).fill(7)
const expires = 1_800_000_000
const before = expires * 1000 - 1
const file = { key: 'datasets/dataset_1/data 1%_ä?#&+.gz', file_name: 'Träume & "more".jsonl.gz' }

describe('a signed address', () => {
  test('gives back the key and the file name that were signed', () => {
    expect(verifySignature(secret, signAddress(secret, file, expires), before)).toEqual(file)
    const bare = { key: 'a/b', file_name: null }
    expect(verifySignature(secret, signAddress(secret, bare, expires), before)).toEqual(bare)
  })

  test('is accepted as a whole URL too', () => {
    const address = `http://127.0.0.1:8080${signAddress(secret, file, expires)}`
    expect(verifySignature(secret, address, before)).toEqual(file)
  })

  test('is refused once it has expired, saying so', () => {
    expect(() => verifySignature(secret, signAddress(secret, file, expires), expires * 1000)).toThrow(
      expect.objectContaining({ code: 'invalid_signature', message: expect.stringContaining('expired') }),
    )
  })

  const address = new URL(signAddress(secret, file, expires), 'http://localhost')
  const changed = (change: (url: URL) => void): string => {
    const url = new URL(address)
    change(url)
    return url.href
  }
  const at = (path: string) => path + address.search
  test.each([
    ['another key', at('/v1/files/runs/run_1/run.json')],
    ['a later end', changed(({ searchParams }) => searchParams.set('expires', String(expires + 1)))],
    ['another file name', changed(({ searchParams }) => searchParams.set('file_name', 'x.exe'))],
    ['no file name', changed(({ searchParams }) => searchParams.delete('file_name'))],
    ['no signature', changed(({ searchParams }) => searchParams.delete('signature'))],
    ['no end', changed(({ searchParams }) => searchParams.delete('expires'))],
    ['a shorter signature', changed(({ searchParams }) => searchParams.set('signature', 'abcd'))],
    ['broken escapes in the key', at('/v1/files/%E0%A4%A')],
    ['another path', at('/v1/runs')],
  ])('with %s is refused as changed', (_what, tampered) => {
    expect(() => verifySignature(secret, tampered, before)).toThrow(
      expect.objectContaining({ code: 'invalid_signature', message: expect.stringContaining('changed') }),
    )
  })

  test('of another secret is refused', () => {
    expect(() => verifySignature(new Uint8Array(32), address.href, before)).toThrow(/changed/)
  })

  test('cannot be made for a key that clients would rewrite', () => {
    expect(() => signAddress(secret, { key: 'a/../b', file_name: null }, expires)).toThrow(/"\.\."/)
  })

  test('outlives the world that signed it, because the secret is kept', async () => {
    const folder = await testFolder()
    const first = await openTestWorld(folder)
    const { url } = await first.objects.sign('a/b', { expires_in: 60 })
    await first.close()
    const second = await openTestWorld(folder)
    expect(second.verify(url)).toEqual({ key: 'a/b', file_name: null })
  })
})
