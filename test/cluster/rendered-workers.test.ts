import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { renderWorkers } from '../../cli/workers/render-workers.ts'
import { workersFileSchema } from '../../cli/workers/workers-file.ts'
import type { CreatedKey } from '../../shared/core/contracts/key.ts'
import type { List } from '../../shared/core/contracts/list.ts'
import type { WorkerInfo } from '../../shared/core/contracts/machine.ts'
import { startEspalier } from '../service/processes.ts'
import { request } from '../service/request.ts'
import { pythonWith } from '../support/python-venv.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { type PostgresServer, startPostgres } from './postgres-server.ts'

const run = promisify(execFile)
const code = resolve(import.meta.dirname, '../..')

let server: PostgresServer
let python: string
beforeAll(async () => {
  server = await startPostgres()
  python = await pythonWith('test/cluster/requirements.txt')
})
afterAll(() => server.remove())

test('the script of Slurm passes shellcheck, and starts a worker of a plain folder that leaves on SIGTERM', async () => {
  const place = await temporaryFolder()
  const variables = join(place, 'world.env')
  await writeFile(variables, `ESPALIER_WORLD='${server.newWorld()}'\n`)
  const workers = { code, variables, objects: join(place, "the lab's objects"), settings: place, workers: 4 }
  const { name, text } = renderWorkers('slurm', workersFileSchema.parse(workers))
  const script = join(place, name)
  await writeFile(script, text)
  await run(join(dirname(python), 'shellcheck'), [script])
  const child = spawn('bash', [script], { stdio: ['ignore', 'pipe', 'inherit'] })
  const gone = once(child, 'exit')
  const [line] = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), gone])
  expect(line).toMatch(/^Plays as worker-/)
  child.kill('SIGTERM')
  expect(await gone).toEqual([0, null])
})

test('the script of Slurm starts a worker that joins, and shows its token to no command line', async () => {
  const place = await temporaryFolder()
  const service = await startEspalier(
    ...['serve', '--world', server.newWorld(), '--objects', join(place, 'objects')],
    ...['--folder', join(place, 'service'), '--port', '0', '--workers', '1'],
  )
  const { key } = await request<CreatedKey>(service, 'POST', '/v1/keys', {
    name: 'nodes',
    scopes: ['workers:join'],
  })
  const variables = join(place, 'token.env')
  // The file demands https. The variable that wins in this test names the service of this machine.
  const workers = { code, variables, settings: place, labels: ['gpu', 'own'], join: 'https://head.example' }
  const { name, text } = renderWorkers('slurm', workersFileSchema.parse(workers))
  expect(text).toContain('--join https://head.example')
  await writeFile(variables, `ESPALIER_TOKEN='${key}'\n`)
  const script = join(place, name)
  await writeFile(script, text.replace('https://head.example', service.first.address as string))
  await run(join(dirname(python), 'shellcheck'), [script])
  const child = spawn('bash', [script], { stdio: ['ignore', 'pipe', 'inherit'] })
  const gone = once(child, 'exit')
  const [line] = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), gone])
  expect(line).toMatch(/^Plays as joined-/)
  const words = await readFile(`/proc/${child.pid}/cmdline`, 'utf8')
  expect(words).toContain('--join')
  expect(words).not.toContain(key)
  const { data } = await request<List<WorkerInfo>>(service, 'GET', '/v1/workers')
  expect(data.filter(({ kind }) => kind === 'joined')).toMatchObject([{ labels: ['gpu', 'own'] }])
  child.kill('SIGTERM')
  expect(await gone).toEqual([0, null])
})

test('workers join or have the database, and take their secret from a secret', () => {
  const image = { image: 'registry.example/espalier:1', settings: '/settings' }
  const joined = workersFileSchema.parse({ ...image, join: 'https://head.example', labels: ['gpu'] })
  const kubernetes = renderWorkers('kubernetes', joined).text
  expect(kubernetes).toContain('name: espalier-token')
  expect(kubernetes).toMatch(/- --labels\s+- gpu/)
  expect(renderWorkers('skypilot', joined).text).toMatch(/secrets:\s+ESPALIER_TOKEN: null/)
  expect(() => renderWorkers('slurm', joined)).toThrow(/lacks "variables": a file with ESPALIER_TOKEN=/)
  const fault = (more: object) => workersFileSchema.safeParse({ ...image, ...more }).error?.issues[0]?.message
  expect(fault({})).toMatch(/either "join".* or "objects"/)
  expect(fault({ join: 'https://head.example', objects: '/shared' })).toMatch(/either "join"/)
  expect(fault({ join: 'http://head.example' })).toMatch(/https/)
  expect(fault({ join: 'https://head.example', token: 'esp_x' })).toMatch(/token/)
})

const validate = (file: string) => run(python, ['-m', 'kubernetes_validate', '--strict', file])

test('the files of Kubernetes fit its schemas', async () => {
  const place = await temporaryFolder()
  const image = { image: 'registry.example/espalier:1', settings: '/settings', gpus: 1 }
  const descriptions = [
    { ...image, objects: 's3://bucket' },
    { ...image, join: 'https://head.example', labels: ['gpu'] },
    { ...image, objects: '/shared/espalier', kubernetes: { claim: 'shared', most_workers: 20 } },
  ]
  for (const description of descriptions) {
    const { name, text } = renderWorkers('kubernetes', workersFileSchema.parse(description))
    await writeFile(join(place, name), text)
    await validate(join(place, name))
    await writeFile(join(place, name), text.replace('replicas:', 'replica:'))
    await expect(validate(join(place, name))).rejects.toThrow()
  }
})
