import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import packageFile from '../../package.json' with { type: 'json' }
import { newKeyText } from '../../shared/core/auth/key-text.ts'
import { newIdentifier } from '../../shared/core/engine/identifiers.ts'
import { JoinGateway } from '../../shared/core/engine/joining/join-gateway.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { openTenants } from './open-tenants.ts'
import { type PostgresServer, startPostgres } from './postgres-server.ts'
import { serveGateway } from './serve-gateway.ts'

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server.remove())

const root = resolve(import.meta.dirname, '../..')
// A namespace needs no rights on most Linux machines; some forbid it, and some have no `ip`.
const isolate = ['unshare', ['-rn', 'sh', '-c', 'ip link set lo up']] as const
const mayIsolate = spawnSync(isolate[0], isolate[1]).status === 0

const inside = `
ip link set lo up
"$NODE" -e 'fetch(process.argv[1]).then(() => process.exit(1), () => process.exit(0))' "$DIRECT" || exit 9
"$NODE" "$RELAY" "$SOCKET" 7777 &
relay=$!
"$NODE" "$ESPALIER" worker --join http://127.0.0.1:7777 --folder "$FOLDER" --places 4 --json &
worker=$!
trap 'kill -TERM $worker' TERM
wait $worker; wait $worker; code=$?
kill $relay
exit $code`

test.skipIf(!mayIsolate)('a worker that can reach nothing but the service plays to the end', async () => {
  const { createRun, engine, portsOf, world } = await openTenants(server)
  const closing = new AbortController()
  const gateway = new JoinGateway({
    ...{ clock: world.clock, version: packageFile.version, portsOf, closing: closing.signal },
    onError: (error) => console.error(error),
  })
  const served = await serveGateway(() => gateway, closing)
  onTestFinished(() => served.close())
  const folder = await temporaryFolder()
  const socket = join(folder, 'service.sock')
  const forwarder = createServer((client) => {
    const target = connect(served.port, '127.0.0.1')
    for (const one of [client, target]) one.on('error', () => [client, target].map((each) => each.destroy()))
    client.pipe(target).pipe(client)
  }).listen(socket)
  onTestFinished(() => void forwarder.close())
  const id = await createRun('default', 4)

  const child = spawn('unshare', ['-rn', 'sh', '-c', inside], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...{ PATH: process.env.PATH, NODE: process.execPath, SOCKET: socket, FOLDER: folder },
      ...{ DIRECT: served.address, RELAY: join(root, 'test/cluster/relay-to-socket.ts') },
      ...{
        ESPALIER: join(root, 'cli/espalier.ts'),
        ESPALIER_TOKEN: newKeyText(newIdentifier('key', Date.now())),
      },
    },
  })
  const ended = once(child, 'exit')
  onTestFinished(() => {
    if (child.exitCode === null) process.kill(-(child.pid ?? 0), 'SIGKILL')
  })
  const isOver = async () => (await engine.runs.of('default').get(id)).ended_at !== null
  while (child.exitCode === null && !(await isOver())) await world.clock.sleep(50)
  const run = await engine.runs.of('default').get(id)
  expect(run).toMatchObject({ status: 'succeeded', episodes: { total: 4, errored: 0 } })
  child.kill('SIGTERM')
  expect((await ended)[0]).toBe(0)
})
