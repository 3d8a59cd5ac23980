import { EspalierError } from '../../shared/core/contracts/errors.ts'

const megabyte = 1024 * 1024
const largest = 4 * megabyte
/** Bytes read from a body that is too large, so that its sender can read the answer. */
const patience = 64 * megabyte
/** Maximum nesting of a request's JSON: its later readers are recursive. */
const deepest = 256

/**
 * Reads the JSON of a request.
 * @param most bytes that it may have
 * @throws EspalierError `body_too_large`, `invalid_json`; `invalid_request` if it is nested too deeply
 */
export async function readBody(request: Request, most = largest): Promise<unknown> {
  const text = await readText(request, most)
  const value = parse(text)
  if (isTooDeep(value)) {
    throw new EspalierError(
      'invalid_request',
      `The body is nested deeper than ${deepest} levels. Flatten it.`,
    )
  }
  return value
}

async function readText(request: Request, largest: number): Promise<string> {
  const declared = Number(request.headers.get('content-length') ?? Number.NaN)
  // HTTP limits the body to its declared length, and reading it whole is several times as fast.
  if (declared <= largest) return request.text()
  if (declared > patience) throw tooLarge(largest)
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of request.body ?? []) {
    size += piece.byteLength
    if (size <= largest) pieces.push(piece)
    else pieces.length = 0
    if (size > patience) break
  }
  if (size > largest) throw tooLarge(largest)
  return Buffer.concat(pieces).toString('utf8')
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new EspalierError('invalid_json', 'The body is not valid JSON.', { cause })
  }
}

export function isTooDeep(value: unknown, limit = deepest): boolean {
  if (typeof value !== 'object' || value === null) return false
  return limit === 0 || Object.values(value).some((child) => isTooDeep(child, limit - 1))
}

function tooLarge(largest: number): EspalierError {
  return new EspalierError(
    'body_too_large',
    `The body is larger than ${largest / megabyte} MB. No action or snapshot of an environment here needs that.`,
  )
}
