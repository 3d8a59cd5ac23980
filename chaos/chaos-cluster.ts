import { type ChildProcess, spawn } from 'node:child_process'
import { copyFile, mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { CreatedKey } from '../shared/core/contracts/key.ts'
import { findFreePort } from '../shared/learn/serving/server-process.ts'
import { type PostgresServer, startPostgres } from '../test/cluster/postgres-server.ts'
import type { ServiceApi } from './api.ts'
import { worldVariable } from './inject/control.ts'
import { disturbedBy } from './service-process.ts'

const root = resolve(import.meta.dirname, '..')
const startAgainAfter = 500
const places = ['--places', '12']

/** A world in PostgreSQL: its database, and two workers outside the service, one of which joins over HTTPS. */
export class ChaosCluster {
  readonly database: PostgresServer
  readonly env = { [worldVariable]: 'postgres' }
  readonly serveWords: readonly string[]
  readonly #worldWords: readonly string[]
  readonly #address: string
  readonly #folder: string
  readonly #workers = new Set<ChildProcess>()
  #isClosing = false
  onDeath: (how: string, launchedAt: number) => void = () => undefined

  private constructor(database: PostgresServer, folder: string, port: number) {
    this.database = database
    this.#folder = folder
    this.#address = `http://127.0.0.1:${port}`
    this.#worldWords = ['--world', database.newWorld(), '--objects', join(folder, 'objects')]
    // Workers that joined know the service by its address, so that it keeps its port.
    this.serveWords = [...this.#worldWords, '--port', `${port}`]
  }

  static async open(folder: string): Promise<ChaosCluster> {
    return new ChaosCluster(await startPostgres([]), folder, await findFreePort())
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
