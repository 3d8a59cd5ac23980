import { existsSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'

// A server of a model that needs no model. usage: PORT NAME FOLDER. It answers with its name and the model that it was asked for. A
// prompt with "die" ends it, the first time; with a file "broken" in the folder it does not start at all.
const [port = '0', name = '', folder = ''] = process.argv.slice(2)

if (existsSync(`${folder}/broken`)) {
  process.stderr.write('CUDA error: out of memory\n')
  process.exit(3)
}

createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks).toString()
  if (body.includes('die') && !existsSync(`${folder}/died`)) {
    writeFileSync(`${folder}/died`, '')
    process.kill(process.pid, 'SIGKILL')
  }
  response.setHeader('content-type', 'application/json')
  if (request.url === '/health') return void response.end('{"status":"ok"}')
  const content = `${name} as ${JSON.parse(body).model} by ${process.pid}`
  response.end(
    JSON.stringify({
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 0,
      model: name,
      choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 9, completion_tokens: 3 },
    }),
  )
}).listen(Number(port), '127.0.0.1')
