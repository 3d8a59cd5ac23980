import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { Times } from './answer-times.ts'
import { askFor } from './large-requests.ts'

if (parentPort === null) throw new Error('This is a thread of the bench.')
let stopped = false
const stop = once(parentPort, 'message').then(() => {
  stopped = true
})
const times = new Times()
while (!stopped) {
  await times.time(() => askFor(String(workerData), { name: 'health', path: '/health' }))
  await Promise.race([stop, delay(100)])
}
parentPort.postMessage(times.summary())
