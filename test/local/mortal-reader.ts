import { parentPort } from 'node:worker_threads'
import type { MessageToReader } from '../../local/readers/reader-messages.ts'

/** The reader's thread, which ends at a request for `/die`. */
await import('../../local/readers/reader-entry.ts')
parentPort?.on('message', (message: MessageToReader) => {
  if (message.type === 'read' && message.request.url.endsWith('/die')) process.exit(7)
})
