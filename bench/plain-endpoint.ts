import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * A chat endpoint in a separate process that answers each request after `LATENCY` milliseconds with one of a few
 * actions of the example environment, so that only its caller is measured. Prints its address.
 */
const latency = Number(process.env.LATENCY ?? 1000)
const actions = ['get 1 oak logs', 'get 2 stone', 'inventory', 'get 1 sand', 'get 1 iron ore', 'look around']
let answered = 0

const answers = actions.map((action) => {
  const content = `Thought: I look at what is there and go on.\nAction: ${action}`
  const message = { role: 'assistant', content, refusal: null }
  return Buffer.from(
    JSON.stringify({
      id: 'completion',
      object: 'chat.completion',
      created: 0,
      model: 'plain',
      choices: [{ index: 0, finish_reason: 'stop', message, logprobs: null }],
      usage: { prompt_tokens: 500, completion_tokens: 20, total_tokens: 520 },
    }),
  )
})

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  request.resume()
  request.once('end', () => {
    setTimeout(() => {
      const body = answers[answered % answers.length] as Buffer
      answered += 1
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body)
    }, latency)
  })
})
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  console.log(JSON.stringify({ base_url: `http://127.0.0.1:${port}/v1` }))
})
process.once('SIGTERM', () => process.exit(0))
