import { hash, randomBytes, timingSafeEqual } from 'node:crypto'

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
/** Of five bits each: 260 bits, which cannot be guessed. */
const secretLength = 52
const pattern = /^esp_([0-9a-z]{10})([0-9a-z]{8})_[0-9a-z]{52}$/

/** The text of a new key: `esp_`, its id without punctuation, and a random secret. */
export function newKeyText(id: string): string {
  const secret = Array.from(randomBytes(secretLength), (byte) => alphabet.charAt(byte % 32)).join('')
  return `esp_${id.replace(/^key-/, '').replaceAll('-', '')}_${secret}`
}

/** The id of the key that a text would be; null for what cannot be one. */
export function keyIdOf(text: string): string | null {
  const [, time, chance] = pattern.exec(text) ?? []
  return time === undefined ? null : `key-${time}-${chance}`
}

/**
 * What is stored of a key. A slow hash protects secrets that people choose, by making each guess dear; a secret of 260
 * random bits is out of reach of any number of guesses, and a fast hash keeps every request fast.
 */
export function digestKey(text: string): string {
  return hash('sha256', text)
}

/** Whether a text is the key that a digest was made of, in a time that does not depend on how much of it is right. */
export function matchesDigest(text: string, digest: string): boolean {
  return timingSafeEqual(Buffer.from(digestKey(text)), Buffer.from(digest))
}
