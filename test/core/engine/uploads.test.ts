import { expect, test } from 'vitest'
import { Uploads } from '../../../shared/core/engine/joining/uploads.ts'

const megabytes = (count: number) => new Uint8Array(count * 1024 * 1024)

test('parts make a body once, and a part that comes twice counts once', () => {
  const uploads = new Uploads()
  for (const [at, text] of ['a', 'b', 'b', 'c'].entries())
    uploads.add('one', { upload: 'x', at: at > 1 ? at - 1 : at }, Buffer.from(text))
  uploads.add('other', { upload: 'x', at: 0 }, Buffer.from('z'))
  expect(Buffer.from(uploads.take('one', { id: 'x', parts: 3 })).toString()).toBe('abc')
  expect(() => uploads.take('one', { id: 'x', parts: 3 })).toThrow('send them again')
  expect(() => uploads.add('one', { upload: 'y', at: 1 }, Buffer.from('b'))).toThrow('send them again')
  expect(() => uploads.take('other', { id: 'x', parts: 2 })).toThrow('send them again')
})

test('uploads that no worker ends make room for new ones', () => {
  const uploads = new Uploads()
  const part = megabytes(100)
  uploads.add('dead', { upload: 'x', at: 0 }, part)
  uploads.add('alive', { upload: 'y', at: 0 }, part)
  uploads.add('alive', { upload: 'y', at: 1 }, part)
  expect(uploads.take('alive', { id: 'y', parts: 2 }).byteLength).toBe(2 * part.byteLength)
  expect(() => uploads.take('dead', { id: 'x', parts: 1 })).toThrow('send them again')
})
