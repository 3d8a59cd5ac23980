import { isUtf8 } from 'node:buffer'
import { deepestJson, isDeeperThan } from '../../core/contracts/json-depth.ts'
import { clipText, wellFormed } from '../../core/contracts/well-formed.ts'
import { BadRowError } from '../formats/bad-row-error.ts'

const mark = '\uFEFF'

/**
 * Parses the JSON object of a row. U+FFFD replaces lone surrogates.
 *
 * @param levels - upper bound of its nesting
 * @throws BadRowError for an encoding other than UTF-8, with a guess of it, for invalid JSON, and for JSON that is no
 * object, or nests deeper than `levels`
 */
export function decodeRow(bytes: Uint8Array, levels: number = deepestJson): Record<string, unknown> {
  if (!isUtf8(bytes)) throw new BadRowError(null, describeEncoding(bytes))
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
  const value = parse(text.startsWith(mark) ? text.slice(1) : text)
  if (isDeeperThan(value, levels)) {
    throw new BadRowError(null, `the row nests deeper than ${levels} levels`)
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>
  }
  const kind = Array.isArray(value) ? 'a list' : value === null ? 'null' : `a ${typeof value}`
  throw new BadRowError(null, `the row is ${kind}, not a JSON object`)
}

function parse(text: string): unknown {
  try {
    return wellFormed(JSON.parse(text))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new BadRowError(null, `the row is not JSON: ${clipText(reason, 300)}`)
  }
}

function describeEncoding(bytes: Uint8Array): string {
  const zeros = bytes.reduce((count, byte) => count + (byte === 0 ? 1 : 0), 0)
  if (zeros > bytes.length / 4) {
    return 'the row is not UTF-8; it looks like UTF-16. Convert the file: iconv -f UTF-16 -t UTF-8'
  }
  const text = Buffer.from(bytes).toString('utf8')
  const at = Buffer.byteLength(text.slice(0, text.indexOf('\uFFFD')))
  const byte = (bytes[at] ?? 0).toString(16).padStart(2, '0')
  return `the row is not UTF-8 (byte 0x${byte} at position ${at}); it looks like Windows-1252 or Latin-1. Convert the file: iconv -f WINDOWS-1252 -t UTF-8`
}
