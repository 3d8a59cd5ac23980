import { parentPort, workerData } from 'node:worker_threads'
import { openReader } from './open-reader.ts'
import type { MessageFromReader, MessageToReader, ReaderAssignment } from './reader-messages.ts'

const port = parentPort
if (port === null) throw new Error('A reader runs on a thread.')

const send = (message: MessageFromReader) => port.postMessage(message)
const reader = await openReader(workerData as ReaderAssignment, {
  log: (entry) => send({ type: 'log', entry }),
  onDamage: (name) => send({ type: 'damage', name }),
})

port.on('message', async (message: MessageToReader) => {
  if (message.type === 'close') {
    await reader.close()
    send({ type: 'closed' })
    port.close()
    return
  }
  const { id, request } = message
  try {
    const answer = await reader.read(request)
    port.postMessage({ type: 'answer', id, answer } satisfies MessageFromReader, [
      answer.body.buffer as ArrayBuffer,
    ])
  } catch (error) {
    send({ type: 'failure', id, reason: error instanceof Error ? String(error.stack) : String(error) })
  }
})
send({ type: 'ready' })
