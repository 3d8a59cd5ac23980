import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openClient } from '../../cli/open-client.ts'
import { openService, type Service } from '../../local/open-service.ts'
import { startSimulatedServer } from '../../local/simulated-server.ts'
import type { ApiClient } from '../../shared/core/client/api-client.ts'
import type { Run, RunRequestInput } from '../../shared/core/contracts/run.ts'
import type { TrajectoryImport } from '../../shared/core/contracts/trajectory-import.ts'

/** A service with runs, datasets and more of what the documents' commands are about. */
export interface Workshop {
  folder: string
  /** Where the files lie that each document gets a copy of. */
  template: string
  address: string
  client: ApiClient
  /** What the placeholders of the documents stand for, unless a page has made its own. */
  made: Record<string, string>
  /** A run that was just made for a command that changes it. */
  runFor(command: string): Promise<string>
  close(): Promise<void>
}

const simulated = { endpoint: 'simulated', id: 'simulated' }
const training: RunRequestInput = {
  environment: 'textcraft',
  tasks: { split: 'train', limit: 12 },
  method: { id: 'mcts', iterations: 4 },
  model: simulated,
}

export async function openWorkshop(): Promise<Workshop> {
  const folder = await mkdtemp(join(tmpdir(), 'espalier-docs-'))
  const template = `${folder}-template`
  const model = await startSimulatedServer({ port: 0, skill: 0.9 })
  const failing = await startFailingModel(model.baseUrl)
  // The built-in endpoint for OpenAI leads to the simulated model.
  process.env.OPENAI_API_KEY = 'sk-of-nobody'
  process.env.OPENAI_BASE_URL = model.baseUrl
  const endpoints = { failing: { kind: 'openai', base_url: failing.baseUrl, max_retries: 0 } }
  await writeFile(join(folder, 'endpoints.json'), JSON.stringify({ endpoints }))
  const service = await openService({ folder, port: 0, log: () => {} })
  const client = clientOf(service)

  async function play(request: RunRequestInput): Promise<Run> {
    const { id } = await client.createRun(request, `${Math.random()}`)
    return untilEnded(client, id)
  }

  async function runFor(command: string): Promise<string> {
    if (command === 'extend' || command === 'delete') {
      return (await play({ ...training, tasks: { split: 'train', limit: 2 } })).id
    }
    if (command === 'retry') {
      const model = { endpoint: 'failing', id: 'any' }
      const tasks = { split: 'train', limit: 2 }
      failing.isWell = false
      const { id } = await play({ ...training, tasks, model, max_retries: 0 })
      failing.isWell = true
      return id
    }
    const tasks = { split: 'train', limit: 400 }
    return (await client.createRun({ ...training, tasks, max_parallel: 1 }, `${Math.random()}`)).id
  }

  const made = await prepare(client, play)
  const { key } = await client.createKey({
    name: 'docs',
    scopes: ['runs:read', 'runs:write', 'datasets:read'],
  })
  process.env.ESPALIER_API_KEY = key
  return {
    folder,
    template,
    address: service.address,
    client,
    made,
    runFor,
    async close() {
      await service.close()
      await failing.close()
      await model.close()
      for (const each of [folder, template]) await rm(each, { recursive: true, force: true })
    },
  }
}

function clientOf({ address, word }: Service): ApiClient {
  const signal = new AbortController().signal
  return openClient({ address, fetcher: fetch, signal, credentials: { key: word } })
}

async function untilEnded(client: ApiClient, id: string): Promise<Run> {
  for (;;) {
    const run = await client.run(id)
    if (!['queued', 'running'].includes(run.status)) return run
    await rest()
  }
}

/** Brings in what a run has played as if an expert had. */
async function importExperts(client: ApiClient, run: string): Promise<TrajectoryImport> {
  const { data } = await client.episodes(run, { status: 'succeeded', limit: 5 })
  const trajectories = await Promise.all(data.map(({ id }) => client.trajectory(run, id)))
  const rows = trajectories.map((trajectory) => JSON.stringify(trajectory)).join('\n')
  const { id } = await client.createImport({ format: 'atif', environment: 'textcraft' }, 'experts')
  return client.appendRows(id, rows, { first: 1, more: false })
}

async function rest(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 50))
}

/** Plays what most commands look at. */
async function prepare(
  client: ApiClient,
  play: (request: RunRequestInput) => Promise<Run>,
): Promise<Record<string, string>> {
  const [searched, baseline, reflected, learned] = await Promise.all([
    play(training),
    play({ ...training, method: { id: 'react' } }),
    play({ ...training, tasks: { split: 'test', limit: 2 }, method: { id: 'rmcts', iterations: 2 } }),
    play({
      environment: 'pddl',
      tasks: { split: 'test', types: ['gripper'], limit: 2 },
      method: { id: 'learnact', candidates: 1, rounds: 1 },
      model: simulated,
    }),
  ])
  const episodes = await client.episodes(searched.id, { status: 'succeeded', limit: 1 })
  const dataset = await client.createDataset(
    { runs: [searched.id], kind: 'step-preference', format: 'trl' },
    'prepared',
  )
  while ((await client.dataset(dataset.id)).status !== 'succeeded') await rest()
  const made = {
    RUN: searched.id,
    OTHER_RUN: baseline.id,
    EPISODE: episodes.data[0]?.id,
    DATASET: dataset.id,
    TRAJECTORIES: (await importExperts(client, baseline.id)).id,
    MEMORY: reflected.memory,
    LIBRARY: learned.library,
  }
  const missing = Object.entries(made).filter(([, id]) => typeof id !== 'string')
  if (missing.length > 0) throw new Error(`Not prepared: ${missing.map(([name]) => name).join(', ')}.`)
  return made as Record<string, string>
}

/** A model that refuses every request until it is well again. */
async function startFailingModel(baseUrl: string) {
  const state = { isWell: false }
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    // Only what asks whether it is there is answered: otherwise a run would pause instead of failing.
    if (!state.isWell && !isProbe(Buffer.concat(pieces))) {
      response.writeHead(400, { 'Content-Type': 'application/json' })
      response.end(
        JSON.stringify({ error: { message: 'Not now.', type: 'invalid_request_error', code: null } }),
      )
      return
    }
    const answer = await fetch(baseUrl.replace(/\/v1$/, '') + (request.url ?? ''), {
      method: request.method ?? 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: Buffer.concat(pieces),
    })
    response.writeHead(answer.status, { 'Content-Type': 'application/json' })
    response.end(await answer.text())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return Object.assign(state, {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    close: () => new Promise((resolve) => server.close(resolve)),
  })
}

/** Whether a request only asks whether the model is there. */
function isProbe(body: Buffer): boolean {
  return body.includes('You answer in one word.')
}
