import { createHmac, timingSafeEqual } from 'node:crypto'
import { EspalierError } from '../../contracts/errors.ts'

const pathPrefix = '/v1/files/'

export interface FileGrant {
  key: string
  file_name: string | null
}

/**
 * The path of an address that downloads an object without a key: `/v1/files/{key}?expires=…&signature=…`.
 * @param expires seconds since the epoch
 * @throws EspalierError `invalid_request`: a key with a part `.` or `..`, which clients remove from addresses
 */
export function signAddress(secret: Uint8Array, file: FileGrant, expires: number): string {
  const parts = file.key.split('/')
  if (parts.includes('.') || parts.includes('..')) {
    throw new EspalierError(
      'invalid_request',
      `The key "${file.key}" cannot have an address: it has a part "." or "..".`,
    )
  }
  const query = new URLSearchParams({ expires: String(expires) })
  if (file.file_name !== null) query.set('file_name', file.file_name)
  query.set('signature', signature(secret, file, String(expires)).toString('base64url'))
  return `${pathPrefix}${parts.map(encodeURIComponent).join('/')}?${query}`
}

/**
 * Checks an address from `signAddress`.
 * @param address its path and query, or the whole URL
 * @param now milliseconds since the epoch
 * @throws EspalierError `invalid_signature`: changed, incomplete or expired
 */
export function verifySignature(secret: Uint8Array, address: string, now: number): FileGrant {
  const { pathname, searchParams } = new URL(address, 'http://localhost')
  const expires = searchParams.get('expires')
  const given = searchParams.get('signature')
  const key = pathname.startsWith(pathPrefix) ? decodeKey(pathname.slice(pathPrefix.length)) : null
  if (key === null || expires === null || given === null) {
    throw refused('it is incomplete or was changed')
  }
  const file = { key, file_name: searchParams.get('file_name') }
  const expected = signature(secret, file, expires)
  const actual = Buffer.from(given, 'base64url')
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) throw refused('it was changed')
  if (Number(expires) * 1000 <= now) throw refused('it has expired')
  return file
}

/** JSON keeps the three parts apart, whatever characters they contain. */
function signature(secret: Uint8Array, { key, file_name }: FileGrant, expires: string): Buffer {
  return createHmac('sha256', secret)
    .update(JSON.stringify([key, expires, file_name]))
    .digest()
}

function decodeKey(encoded: string): string | null {
  try {
    return decodeURIComponent(encoded)
  } catch (error) {
    if (error instanceof URIError) return null
    throw error
  }
}

function refused(why: string): EspalierError {
  return new EspalierError('invalid_signature', `This address cannot be used: ${why}. Ask for a new one.`)
}
