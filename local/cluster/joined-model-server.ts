import { rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { request as send } from 'undici'
import { EspalierError } from '../../shared/core/contracts/errors.ts'
import type { ModelSource, RegisteredModel } from '../../shared/core/contracts/registered-model.ts'
import { createOutboundFetch } from '../../shared/core/outbound/outbound-fetch.ts'
import { workerHeader } from '../../shared/core/world/joined/joined-call.ts'
import { refusalOf } from '../../shared/core/world/joined/joined-connection.ts'
import { writeStoredFile } from '../../shared/learn/registry/weight-parts.ts'
import { findFreePort, ServerProcess } from '../../shared/learn/serving/server-process.ts'
import { openServers } from '../open-servers.ts'
import { servedJobSchema, servedPath } from './model-calls.ts'

// The program of a host that serves a model: it has the job and the weights from the service, and forwards calls to the server.

const { ESPALIER_FOLDER: folder = '.', ESPALIER_JOIN: service = '', ESPALIER_LIFE: life = '' } = process.env
const { ESPALIER_TOKEN: token = '', ESPALIER_WORKER: worker = '' } = process.env
// Servers inherit this environment.
delete process.env.ESPALIER_TOKEN

const pause = 1000
const outbound = createOutboundFetch({})
const stopping = new AbortController()
let starting = { status: 503, note: 'it asks for its job', tail: [] as string[] }
let server: ServerProcess | null = null
let isReady = false
const written = new Set<string>()

/** Asks again after failures that pass, until the service stops this host. */
async function fromService(path: string): Promise<Response> {
  for (;;) {
    try {
      return await askService(path)
    } catch (error) {
      if (EspalierError.isInstance(error)) throw error
      await delay(pause, undefined, { signal: stopping.signal })
    }
  }
}

async function askService(path: string): Promise<Response> {
  const answer = await outbound(new URL(`${servedPath}/${life}${path}`, service), {
    headers: { authorization: `Bearer ${token}`, [workerHeader]: worker },
    redirect: 'error',
    signal: stopping.signal,
  })
  if (!answer.ok) throw await refusalOf(answer)
  return answer
}

const weights = {
  async get(key: string) {
    const answer = await fromService(`/${key.split('/').at(-1)}`)
    return { body: new Uint8Array(await answer.arrayBuffer()) }
  },
}

async function writeModel(tenant: string, { files, id }: RegisteredModel): Promise<string> {
  const target = join(folder, 'served', id, 'files')
  written.add(id)
  for (const [at, file] of files.entries()) {
    say(`its files are fetched, ${at + 1} of ${files.length}`)
    await writeStoredFile(weights, tenant, file, target)
  }
  return target
}

function say(note: string): void {
  starting = { ...starting, note }
}

async function start(): Promise<ServerProcess> {
  const job = servedJobSchema.parse(await (await fromService('')).json())
  const { base, model, settings, tenant } = job
  const drivers = await openServers(join(folder, 'servers.json'))
  const name = await drivers.choose(model, { driver: drivers.usual.driver })
  const driver = drivers.get(name)
  if (!('prepare' in driver)) throw new Error(`${name} starts no server on this machine`)
  const work = join(folder, 'served', model.id)
  const files = await writeModel(tenant, model)
  const port = await findFreePort()
  const command = await driver.prepare({
    ...{ model, files, work, port, onProgress: say, signal: stopping.signal },
    settings: { ...settings, driver: name, ...(name === 'command' && { command: drivers.usual.command }) },
    base: () => writeBase(tenant, base),
  })
  say('it loads the model')
  const started = new ServerProcess(command, {
    ...{ port, log: join(work, 'server.log'), environment: driver.environment },
  })
  server = started
  await started.healthy(settings.start_seconds, stopping.signal)
  return started
}

async function writeBase(tenant: string, base: RegisteredModel | ModelSource | null): Promise<ModelSource> {
  if (base === null) throw new Error('the base of the adapter is not known')
  return 'id' in base ? { folder: await writeModel(tenant, base) } : base
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (!isReady || server === null) {
    const { status, ...said } = starting
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(said))
    return
  }
  const { headers, method = 'GET', url = '/' } = request
  const type = headers['content-type'] ?? 'application/json'
  const forwarded = await send(`${server.address}${url}`, {
    method: method === 'POST' ? 'POST' : 'GET',
    headers: { 'content-type': type },
    ...(method === 'POST' && { body: await text(request) }),
    // The caller's own time ends an answer.
    ...{ headersTimeout: 0, bodyTimeout: 0 },
  })
  response.writeHead(forwarded.statusCode, {
    'content-type': String(forwarded.headers['content-type'] ?? type),
  })
  response.end(await forwarded.body.text())
}

const front = createServer((request, response) => {
  answer(request, response).catch(() => response.destroy())
})
front.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify({ port: (front.address() as AddressInfo).port })}\n`)
})

/** The next start fetches the files anew, so that those of a loop's rounds do not fill the disk. */
async function leave(): Promise<never> {
  stopping.abort()
  await server?.stop()
  for (const id of written) await rm(join(folder, 'served', id), { recursive: true, force: true })
  process.exit()
}
process.on('SIGTERM', () => void leave())
process.on('SIGINT', () => void leave())

try {
  const started = await start()
  isReady = true
  const { how, tail } = await started.ended
  if (!stopping.signal.aborted) {
    process.stderr.write(`${tail.join('\n')}\nThe server of the model: ${how}.\n`)
    process.exit(1)
  }
} catch (error) {
  // The service reads the reason, and then stops this host.
  const note = error instanceof Error ? error.message : String(error)
  starting = { status: 500, note, tail: (server as ServerProcess | null)?.tail ?? [] }
}
