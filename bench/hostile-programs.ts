import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { exampleEnvironment } from '../shared/core/contracts/example-environment.ts'
import { hostilePrograms } from '../test/play/sandbox/hostile-programs.ts'
import { report } from './figure.ts'
import { serveFolder, timeRequests } from './served-requests.ts'

const loops = [
  'for (let n = 0; n < 45000; n += 1) { try { JSON.parse("{") } catch {} }',
  'Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)',
]
const programs = [...loops, ...hostilePrograms.map(({ code }) => code)]
const seconds = Number(process.env.BENCH_SECONDS ?? 60)

let answered = 0
const model = createServer(async (request, response) => {
  const { model: id } = (await json(request)) as { model: string }
  const code = programs[answered % programs.length]
  answered += 1
  const completion = {
    id: `completion-${answered}`,
    object: 'chat.completion',
    created: 0,
    model: id,
    choices: [
      {
        index: 0,
        finish_reason: 'stop',
        message: { role: 'assistant', content: `\`\`\`js\n${code}\n\`\`\``, refusal: null },
      },
    ],
    usage: { prompt_tokens: 100, completion_tokens: 50, total_tokens: 150 },
  }
  response.setHeader('content-type', 'application/json').end(JSON.stringify(completion))
})
const folder = await mkdtemp(join(tmpdir(), 'espalier-bench-'))
const endpoint = { kind: 'openai', base_url: `${await listen(model)}/v1` }
await writeFile(join(folder, 'endpoints.json'), JSON.stringify({ endpoints: { hostile: endpoint } }))
const service = await serveFolder(folder)
try {
  const idle = await timeRequests(service.address, '/v1/runs', 5)
  const created = await fetch(`${service.address}/v1/runs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      environment: exampleEnvironment,
      method: { id: 'code-as-policy' },
      tasks: { split: 'train' },
      epochs: 10,
      model: { endpoint: 'hostile', id: 'hostile' },
      max_parallel: 200,
    }),
  })
  if (!created.ok) throw new Error(`The run was refused: ${await created.text()}`)
  const before = answered
  const busy = await timeRequests(service.address, '/v1/runs', seconds)
  report({
    what: `GET /v1/runs, 20 times a second, while ${programs.length} hostile programs are played over and over, 200 episodes at a time`,
    value: `p99 ${busy.p99.toFixed(0)} ms, longest ${busy.longest.toFixed(0)} ms, ${busy.failed} of ${busy.requests} failed; ${answered - before} programs written`,
    ratio: `p99 ${(busy.p99 / idle.p99).toFixed(1)} × the idle service's (${idle.p99.toFixed(0)} ms)`,
    aim: 'p99 ≤ 250 ms',
  })
} finally {
  await service.stop()
  model.close()
  model.closeAllConnections()
  await rm(folder, { recursive: true, force: true })
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
