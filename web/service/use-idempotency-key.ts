import { useRef } from 'react'

/**
 * A key that makes sending the same thing twice do it once: it stays as long as `what` does, so that a click after a broken
 * answer starts nothing a second time.
 */
export function useIdempotencyKey(what: unknown): string {
  const text = JSON.stringify(what)
  const kept = useRef<{ text: string; key: string } | null>(null)
  if (kept.current?.text !== text) kept.current = { text, key: newKey() }
  return kept.current.key
}

/** `crypto.randomUUID` is there on secure pages only, and a service may be reached over plain HTTP. */
function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
}
