import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { findFreePort } from '../../shared/learn/serving/server-process.ts'
import { findPostgres } from './find-postgres.ts'

const run = promisify(execFile)

export interface PostgresServer {
  /** The address of a world of its own, in a schema that no other has. */
  newWorld(): string
  ask(statement: string): Promise<Record<string, unknown>[]>
  /** Its log since its last start. */
  log(): string
  /** Ends the server as a power cut does, or by its administrator's `fast`, which ends its connections. */
  stop(how: 'crash' | 'fast'): Promise<void>
  start(): Promise<void>
  /** Ends all connections of its clients, in the middle of their statements. */
  cutConnections(): Promise<void>
  remove(): Promise<void>
}

/** Starts a real PostgreSQL on a free port, in a folder of its own, as a user that is not root. */
export async function startPostgres(settings: readonly string[] = ['fsync=off']): Promise<PostgresServer> {
  const { programs, user } = await findPostgres()
  const folder = await mkdtemp(join(tmpdir(), 'espalier-postgres-'))
  if (user !== null) await chown(folder, user.uid, user.gid)
  const as = { ...(user ?? {}), cwd: folder }
  const data = join(folder, 'data')
  const create = ['-D', data, '-A', 'trust', '-U', 'espalier', '-E', 'UTF8', '--locale=C', '--no-sync']
  await run(join(programs, 'initdb'), create, as)
  const port = await findFreePort()
  const options = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${folder}`,
    ...settings,
  ]
  let server: ChildProcess | null = null
  let ended: Promise<unknown> = Promise.resolve()
  let worlds = 0
  let said = ''
  const base = `postgres://espalier@127.0.0.1:${port}/postgres`

  async function ask(statement: string): Promise<Record<string, unknown>[]> {
    const client = new Client({ connectionString: base })
    client.on('error', () => undefined)
    await client.connect()
    try {
      const results = [await client.query<Record<string, unknown>>(statement)].flat()
      return results.at(-1)?.rows ?? []
    } finally {
      await client.end()
    }
  }

  async function start(): Promise<void> {
    const child = spawn(
      join(programs, 'postgres'),
      ['-D', data, ...options.flatMap((one) => ['-c', one])],
      as,
    )
    said = ''
    child.stderr.on('data', (part: Buffer) => {
      said += part.toString()
    })
    child.stdout.resume()
    server = child
    let isOver = false
    ended = new Promise<void>((resolve) =>
      child.once('exit', () => {
        isOver = true
        resolve()
      }),
    )
    while (!isOver) {
      const isUp = await ask('select 1').then(
        () => true,
        () => false,
      )
      if (isUp) return
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    throw new Error(`PostgreSQL did not start:\n${said}`)
  }

  async function stop(how: 'crash' | 'fast'): Promise<void> {
    // SIGQUIT ends it without a checkpoint: it recovers from its log, as after a power cut.
    server?.kill(how === 'crash' ? 'SIGQUIT' : 'SIGINT')
    await ended
  }

  await start()
  return {
    newWorld() {
      worlds += 1
      return `${base}?schema=world_${worlds}`
    },
    ask,
    log: () => said,
    start,
    stop,
    async cutConnections() {
      await ask(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where application_name = 'espalier' and pid <> pg_backend_pid()`,
      )
    },
    async remove() {
      await stop('fast')
      await rm(folder, { recursive: true, force: true })
    },
  }
}
