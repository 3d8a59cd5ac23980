import { deflateSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { unkeptPictures } from '../../../shared/core/pictures/picture-store.ts'
import { readPictureSize, TooManyPixelsError } from '../../../shared/core/pictures/read-picture-size.ts'
import { readPng } from '../../../shared/environments/browser/evaluation/pixel-picture.ts'
import { readPicture } from '../../../shared/play/simulated/pictures/read-picture.ts'

type Head = (width: number, height: number) => Buffer

const uint = (bytes: number, value: number, isLittle = false) => {
  const buffer = Buffer.alloc(bytes)
  if (isLittle) buffer.writeUIntLE(value, 0, bytes)
  else buffer.writeUIntBE(value, 0, bytes)
  return buffer
}
const chunk = (name: string, data: Buffer) =>
  Buffer.concat([uint(4, data.length), Buffer.from(name), data, Buffer.alloc(4)])

const png: Head = (width, height) =>
  Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', Buffer.concat([uint(4, width), uint(4, height), Buffer.from([8, 2, 0, 0, 0])])),
    chunk('IDAT', deflateSync(Buffer.alloc(64))),
    chunk('IEND', Buffer.alloc(0)),
  ])
const jpeg: Head = (width, height) =>
  Buffer.concat([
    Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex'),
    Buffer.from('ffc0001108', 'hex'),
    uint(2, height),
    uint(2, width),
    Buffer.from('03011100021101031101ffd9', 'hex'),
  ])
const gif: Head = (width, height) =>
  Buffer.concat([Buffer.from('GIF89a'), uint(2, width, true), uint(2, height, true), Buffer.alloc(20)])
const webp: Head = (width, height) => {
  const body = Buffer.concat([
    Buffer.from('WEBPVP8X'),
    uint(4, 10, true),
    Buffer.alloc(4),
    uint(3, width - 1, true),
    uint(3, height - 1, true),
    Buffer.alloc(10),
  ])
  return Buffer.concat([Buffer.from('RIFF'), uint(4, body.length, true), body])
}

const formats: [string, Head, number][] = [
  ['png', png, 2 ** 31 - 1],
  ['jpg', jpeg, 2 ** 16 - 1],
  ['gif', gif, 2 ** 16 - 1],
  ['webp', webp, 2 ** 24],
]

describe.each(formats)('a %s', (type, head, longest) => {
  test('says its size', () => {
    expect(readPictureSize(head(640, 480))).toEqual({ width: 640, height: 480, type })
  })

  test('of too many pixels is refused by its head, and any other is not', () => {
    expect(() => readPictureSize(head(longest, longest))).toThrow(TooManyPixelsError)
    const edge = fc.integer({ min: 1, max: longest })
    fc.assert(
      fc.property(edge, edge, (width, height) => {
        const isSmall = Math.max(width, height) <= 16_384 && width * height <= 2 ** 26
        if (isSmall) expect(readPictureSize(head(width, height))).toMatchObject({ width, height })
        else expect(() => readPictureSize(head(width, height))).toThrow(`${width} × ${height} pixels`)
      }),
    )
  })
})

test('whatever bytes follow a head, they give a size within the limits or an error', () => {
  const bytes = fc
    .tuple(
      fc.constantFrom(...formats.map(([, head]) => head(20, 20))),
      fc.uint8Array({ maxLength: 80 }),
      fc.nat(40),
    )
    .map(([start, more, at]) => Buffer.concat([start.subarray(0, at), more]))
  fc.assert(
    fc.property(bytes, (picture) => {
      let size: { width: number; height: number }
      try {
        size = readPictureSize(picture)
      } catch {
        return
      }
      expect(size.width * size.height).toBeLessThanOrEqual(2 ** 26)
    }),
  )
})

test('nothing decodes a picture of too many pixels', async () => {
  const huge = png(2 ** 31 - 1, 2 ** 31 - 1)
  expect(() => readPng(huge)).toThrow(/no readable PNG.*pixels/)
  expect(readPicture(huge)).toBeNull()
  const sent = { media_type: 'image/png', data: huge.toString('base64') } as const
  await expect(unkeptPictures.put(sent)).rejects.toMatchObject({
    code: 'environment_failed',
    message: expect.stringMatching(/2147483647 × 2147483647 pixels/),
  })
})

test('a file that inflates to more than its head says is not inflated', () => {
  const head = png(2, 2)
  const bomb = Buffer.concat([head.subarray(0, 33), chunk('IDAT', deflateSync(Buffer.alloc(50_000_000)))])
  expect(() => readPicture(bomb)).toThrow()
})
