/** JSON with binary bodies behind it: four bytes with the length of the JSON, the JSON, then the bodies. */
export interface Frame {
  head: unknown
  bodies: Uint8Array[]
}

export function writeFrame(head: object, bodies: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const text = Buffer.from(JSON.stringify({ ...head, bytes: bodies.map(({ byteLength }) => byteLength) }))
  const length = Buffer.alloc(4)
  length.writeUInt32BE(text.byteLength)
  return Buffer.concat([length, text, ...bodies])
}

export function readFrame(bytes: Uint8Array): Frame {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const start = buffer.byteLength < 4 ? Number.POSITIVE_INFINITY : 4 + buffer.readUInt32BE(0)
  if (start > buffer.byteLength) throw new TypeError('The frame is cut.')
  const head = parse(buffer.toString('utf8', 4, start))
  const lengths = isObject(head) && Array.isArray(head.bytes) ? head.bytes : []
  let at = start
  const bodies = lengths.map((length: unknown) => {
    if (!Number.isSafeInteger(length) || (length as number) < 0) throw new TypeError('A length is no number.')
    const end = at + (length as number)
    const body = new Uint8Array(buffer.subarray(at, end))
    at = end
    return body
  })
  if (at !== buffer.byteLength) throw new TypeError('The bodies of the frame are cut.')
  return { head, bodies }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new TypeError('The head of the frame is not JSON.', { cause })
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
