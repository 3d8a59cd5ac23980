import { hash, randomBytes, timingSafeEqual } from 'node:crypto'

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
/** Characters of five bits each: 260 bits, which cannot be guessed. */
const secretLength = 52
const pattern = /^esp_([0-9a-z]{10})([0-9a-z]{8})_[0-9a-z]{52}$/

export function newKeyText(id: string): string {
  const secret = Array.from(randomBytes(secretLength), (byte) => alphabet.charAt(byte % 32)).join('')
  return `esp_${id.replace(/^key-/, '').replaceAll('-', '')}_${secret}`
}

export function keyIdOf(text: string): string | null {
  const [, time, chance] = pattern.exec(text) ?? []
  return time === undefined ? null : `key-${time}-${chance}`
}

/**
 * The stored digest of a key. A slow hash protects chosen passwords by making each guess expensive. A secret of 260
 * random bits cannot be guessed, and a fast hash keeps every request fast.
 */
export function digestKey(text: string): string {
  return hash('sha256', text)
}

export function matchesDigest(text: string, digest: string): boolean {
  return timingSafeEqual(Buffer.from(digestKey(text)), Buffer.from(digest))
}

export function bearerKey(header: string): string | null {
  return /^bearer +(\S+) *$/i.exec(header)?.[1] ?? null
}
