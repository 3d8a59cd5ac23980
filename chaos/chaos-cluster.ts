import { type ChildProcess, spawn } from 'node:child_process'
import { copyFile, mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import type { CreatedKey } from '../shared/core/contracts/key.ts'
import { findFreePort } from '../shared/learn/serving/server-process.ts'
import { type EmulatorVariables, startS3 } from '../test/aws/emulators/emulator-sets.ts'
import { type PostgresServer, startPostgres } from '../test/cluster/postgres-server.ts'
import type { ServiceApi } from './api.ts'
import { worldVariable } from './inject/control.ts'
import { disturbedBy } from './service-process.ts'

const root = resolve(import.meta.dirname, '..')
const startAgainAfter = 500
const places = ['--places', '12']

interface Bucket {
  address: string
  variables: EmulatorVariables
  stop: () => Promise<void>
}

/**
 * A world in PostgreSQL: its database, its objects in a folder or in a bucket of an S3 emulator, and two workers outside
 * the service, one of which joins over HTTPS.
 */
export class ChaosCluster {
  readonly database: PostgresServer
  readonly env: Readonly<Record<string, string>>
  readonly serveWords: readonly string[]
  readonly #worldWords: readonly string[]
  readonly #address: string
  readonly #folder: string
  readonly #bucket: Bucket | null
  readonly #workers = new Set<ChildProcess>()
  #isClosing = false
  onDeath: (how: string, launchedAt: number) => void = () => undefined

  private constructor(database: PostgresServer, folder: string, port: number, bucket: Bucket | null) {
    this.database = database
    this.env = { [worldVariable]: 'postgres', ...bucket?.variables }
    this.#folder = folder
    this.#bucket = bucket
    const objects = bucket?.address ?? join(folder, 'objects')
    this.#address = `http://127.0.0.1:${port}`
    this.#worldWords = ['--world', database.newWorld(), '--objects', objects]
    // Workers that joined know the service by its address, so that it keeps its port.
    this.serveWords = [...this.#worldWords, '--port', `${port}`]
  }

  static async open(folder: string, objects: 'folder' | 'bucket'): Promise<ChaosCluster> {
    const bucket = objects === 'bucket' ? await openBucket() : null
    return new ChaosCluster(await startPostgres([]), folder, await findFreePort(), bucket)
  }

  get workers(): number[] {
    return [...this.#workers].flatMap(({ pid }) => pid ?? [])
  }

  async start(api: ServiceApi, data: string, control: string): Promise<void> {
    const { key } = await api.json<CreatedKey>('POST', '/v1/keys', {
      name: 'chaos',
      scopes: ['workers:join'],
    })
    const settings = join(this.#folder, 'worker')
    await mkdir(settings)
    await copyFile(join(data, 'endpoints.json'), join(settings, 'endpoints.json'))
    const env = { ...process.env, ...this.env, ...disturbedBy(control), ESPALIER_TOKEN: key }
    for (const words of [this.#worldWords, ['--join', this.#address]])
      void this.#keep([...words, '--folder', settings, ...places], env)
  }

  async close(): Promise<void> {
    this.#isClosing = true
    for (const child of this.#workers) child.kill('SIGKILL')
    await this.database.remove()
    await this.#bucket?.stop()
  }

  async #keep(words: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
    while (!this.#isClosing) {
      const launchedAt = performance.now()
      const child = spawn(process.execPath, [join(root, 'cli/espalier.ts'), 'worker', ...words], {
        cwd: root,
        stdio: ['ignore', 'pipe', 'pipe'],
        env,
      })
      this.#workers.add(child)
      let said = ''
      child.stderr.on('data', (text) => {
        said = `${said}${text}`.slice(-2000)
      })
      let hasStarted = false
      child.stdout.once('data', () => {
        hasStarted = true
      })
      const endWithUs = () => void child.kill('SIGKILL')
      process.once('exit', endWithUs)
      const code = await new Promise((ended) => child.once('exit', ended))
      process.off('exit', endWithUs)
      this.#workers.delete(child)
      // One may not start while the service or the database is away.
      if (code !== null && hasStarted && !this.#isClosing)
        this.onDeath(`code ${code}: ${said.trim().slice(-600)}`, launchedAt)
      await delay(startAgainAfter)
    }
  }
}

async function openBucket(): Promise<Bucket> {
  const { stop, variables } = await startS3()
  const { AWS_ENDPOINT_URL_S3: endpoint = '', AWS_REGION: region = '' } = variables
  const { AWS_ACCESS_KEY_ID: accessKeyId = '', AWS_SECRET_ACCESS_KEY: secretAccessKey = '' } = variables
  const client = new S3Client({
    ...{ endpoint, region, forcePathStyle: true },
    credentials: { accessKeyId, secretAccessKey },
  })
  await client.send(new CreateBucketCommand({ Bucket: 'objects' }))
  client.destroy()
  return { address: 's3://objects', stop, variables }
}
