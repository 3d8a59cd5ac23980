import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { endpointSchema } from '../../shared/core/contracts/endpoint-configuration.ts'
import { openModels } from '../../shared/play/models/model-pool.ts'
import { chatRequest } from '../play/models/chat-request.ts'
import { recordingMeter } from '../play/models/recording-meter.ts'

// Many calls at once to an endpoint whose answers never end, in a process of its own: prints the most memory it took, in MB.

const piece = Buffer.alloc(256 * 1024, ' ')

function sendEndlessly(response: ServerResponse): void {
  while (!response.destroyed) {
    if (!response.write(piece)) {
      response.once('drain', () => sendEndlessly(response))
      return
    }
  }
}

const server = createServer((request, response) => {
  request.resume().on('end', () => {
    response.writeHead(200, { 'content-type': 'application/json' })
    sendEndlessly(response)
  })
})
await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
const { port } = server.address() as AddressInfo
const configuration = endpointSchema.parse({
  kind: 'openai',
  base_url: `http://127.0.0.1:${port}/v1`,
  max_retries: 1,
})
const models = openModels(new Map([['mine', configuration]]))
let most = 0
const timer = setInterval(() => {
  most = Math.max(most, process.memoryUsage.rss())
}, 5)
const calls = Array.from({ length: 64 }, () =>
  models.model('mine').complete(chatRequest(), { meter: recordingMeter() }),
)
const settled = await Promise.allSettled(calls)
clearInterval(timer)
await models.close()
server.closeAllConnections()
server.close()
const given = settled.filter(({ status }) => status === 'rejected').length
console.log(JSON.stringify({ given_up: given, megabytes: Math.round(most / 2 ** 20) }))
