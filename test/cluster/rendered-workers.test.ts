import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { renderWorkers } from '../../cli/workers/render-workers.ts'
import { workersFileSchema } from '../../cli/workers/workers-file.ts'
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

const validate = (file: string) => run(python, ['-m', 'kubernetes_validate', '--strict', file])

test('the files of Kubernetes fit its schemas', async () => {
  const place = await temporaryFolder()
  const image = { image: 'registry.example/espalier:1', settings: '/settings', gpus: 1 }
  const descriptions = [
    { ...image, objects: 's3://bucket' },
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
