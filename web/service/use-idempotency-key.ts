import { useRef } from 'react'

/** An idempotency key that changes only with `what`, so that a click after a lost answer does not start it twice. */
export function useIdempotencyKey(what: unknown): string {
  const text = JSON.stringify(what)
  const kept = useRef<{ text: string; key: string } | null>(null)
  if (kept.current?.text !== text) kept.current = { text, key: newKey() }
  return kept.current.key
}

/** `crypto.randomUUID` needs a secure page, but a service may be reached over plain HTTP. */
function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
}
