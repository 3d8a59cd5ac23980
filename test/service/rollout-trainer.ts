import { appendFileSync, existsSync, readFileSync, truncateSync } from 'node:fs'
import { createClient } from '../../shared/core/client/client.ts'

/**
 * A trainer that keeps each group of a rollout as one line of a file, and after a kill goes on behind the last line.
 * It ends with the stream.
 */
const [address = '', rollout = '', file = ''] = process.argv.slice(2)

const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
// A kill may have cut the last line.
const kept = text.slice(0, text.lastIndexOf('\n') + 1)
if (kept.length < text.length) truncateSync(file, Buffer.byteLength(kept))
const last = kept.trim().split('\n').at(-1) ?? ''
const after = last === '' ? 0 : (JSON.parse(last) as { sequence: number }).sequence

const client = createClient({ address })
const { signal } = new AbortController()
for await (const message of client.rolloutEvents(rollout, { signal, after, patience: 300_000 })) {
  if ('event' in message) appendFileSync(file, `${JSON.stringify(message.event)}\n`)
  if ('end' in message) break
}
