// Plays a run on a service, follows it to its end and prints its report: espalier exec ./client.ts
import { ApiError, createClient } from 'espalier/client'

const [address = process.env.ESPALIER_URL ?? 'http://127.0.0.1:8080'] = process.argv.slice(2)
const key = process.env.ESPALIER_API_KEY
const client = createClient({ address, ...(key !== undefined && { key }) })

// The same key and request make one run, however often they are sent.
const run = await client.createRun(
  {
    environment: 'textcraft',
    tasks: { split: 'test', limit: 5 },
    method: { id: 'react' },
    model: { endpoint: 'simulated', id: 'simulated' },
  },
  'client-example',
)

for await (const message of client.events(run.id, { signal: AbortSignal.timeout(300_000) })) {
  if ('run' in message) console.error(`${message.run.status}: ${message.run.episodes.total} episodes`)
  if ('end' in message) break
}

const report = await client.report(run.id)
console.log(JSON.stringify({ run: run.id, report }))

try {
  await client.run('run-unknown')
} catch (error) {
  if (!(error instanceof ApiError)) throw error
  console.error(`${error.status} ${error.code}: ${error.message}`)
}
