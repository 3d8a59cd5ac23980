import { hash } from 'node:crypto'

/**
 * Names a value within one episode: 96 bits of its SHA-256, as 16 URL-safe characters. Long enough that two values of
 * an episode never collide, short enough for a journal full of them.
 */
export function digest(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 16)
}
