import { crc32, deflateSync } from 'node:zlib'

/** A PNG of one colour. */
export function drawPng(width: number, height: number, [red, green, blue]: readonly number[]): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  // Eight bits a channel, red, green and blue.
  head.set([8, 2, 0, 0, 0], 8)
  const line = Buffer.alloc(1 + width * 3)
  for (let x = 0; x < width; x += 1) line.set([red ?? 0, green ?? 0, blue ?? 0], 1 + x * 3)
  const lines = Buffer.concat(Array.from({ length: height }, () => line))
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(lines)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
