import { setTimeout as delay } from 'node:timers/promises'
import { ConnectionError, reasonOf } from '../shared/core/client/connection-error.ts'
import { EspalierError } from '../shared/core/contracts/errors.ts'
import { isFolderLocked } from '../shared/core/world/local/folder-lock.ts'
import { readLastHolder, readServiceFile, type ServiceFile } from '../shared/core/world/local/service-file.ts'
import { credentialHeaders, type Fetcher } from './api-transport.ts'
import { type EmbeddedNeeds, holderOf } from './connect.ts'
import { shortPath } from './dataset-folder.ts'
import type { GlobalOptions } from './global-options.ts'
import type { Terminal } from './terminal.ts'

interface Target {
  address: string
  word: string | undefined
  holder: ServiceFile | null
  fetcher: Fetcher
  close(): Promise<void>
}

export interface FolderService {
  readonly address: string
  readonly embedded: boolean
  readonly fetcher: Fetcher
  close(): Promise<void>
}

const lookEvery = 100
/** Milliseconds until a holder is given up that starts without serving, or stops without leaving. */
const longestWait = { start: 10_000, stop: 30_000 }

/**
 * Opens the service of a data folder: that of the process that holds the folder, or one in this process. If the
 * holder ends while the command runs, the command takes the folder over and sends its request again.
 * @throws EspalierError `conflict` if another process holds the folder and serves nothing
 */
export async function openFolderService(
  folder: string,
  options: GlobalOptions,
  terminal: Terminal,
  needs: EmbeddedNeeds,
): Promise<FolderService> {
  const signal = terminal.interruption()
  let target = await open()
  let reopening: Promise<void> | null = null

  async function open(): Promise<Target> {
    for (;;) {
      const holder = await awaitHolder(folder, signal)
      if (holder !== null) {
        if (needs.saysHolder)
          terminal.note(`${describeHolder(folder, holder)} This command uses that service.`)
        return { ...holder, word: holder.word, holder, fetcher: fetch, close: async () => {} }
      }
      const { openEmbedded } = await import('./open-embedded.ts')
      try {
        const { address, app, close, word } = await openEmbedded(folder, terminal, needs)
        return { address, word, holder: null, fetcher: (url, init) => app.request(url, init), close }
      } catch (error) {
        // Another command was faster.
        const isTaken = EspalierError.isInstance(error) && error.code === 'conflict' && error.param === null
        if (!isTaken || (await readServiceFile(folder)) === null) throw error
      }
    }
  }

  /**
   * Finds the service again after a request without an answer.
   * @throws the reason if the holder lives
   */
  async function reopen(lost: Target, reason: unknown): Promise<void> {
    const { holder } = lost
    if (holder === null) throw reason
    if (!(await hasLeft(folder, holder, signal))) throw reason
    terminal.note(
      `Process ${holder.pid}, which held ${shortPath(folder)}, has ended. This command goes on by itself.`,
    )
    target = await open()
  }

  async function send(path: URL, init: RequestInit): Promise<Response> {
    const current = target
    const url = new URL(path.pathname + path.search, current.address).href
    const credentials = holderOf(options, current.word).credentials
    const headers = { ...credentialHeaders(credentials), ...(init.headers as Record<string, string>) }
    try {
      return await current.fetcher(url, { ...init, headers })
    } catch (error) {
      if (current.holder === null || init.signal?.aborted) throw error
      if (current === target) {
        reopening ??= reopen(current, noAnswer(folder, current.holder, error)).finally(() => {
          reopening = null
        })
        await reopening
      }
      // A refused connection carried no request. Other failed requests may have been processed.
      const isRepeatable = init.method === 'GET' || new Headers(init.headers).has('Idempotency-Key')
      if (!isRepeatable && reasonOf(error) !== 'ECONNREFUSED') throw error
      return send(path, init)
    }
  }

  return {
    get address() {
      return target.address
    },
    get embedded() {
      return target.holder === null
    },
    fetcher: (address, init) => send(new URL(address), init),
    close: () => target.close(),
  }
}

async function awaitHolder(
  folder: string,
  signal: AbortSignal,
): Promise<(ServiceFile & { address: string }) | null> {
  const until = performance.now() + longestWait.start
  for (;;) {
    const holder = await readServiceFile(folder)
    if (holder !== null || !isFolderLocked(folder) || performance.now() > until) return holder
    await delay(lookEvery, undefined, { signal })
  }
}

async function hasLeft(folder: string, holder: ServiceFile, signal: AbortSignal): Promise<boolean> {
  const until = performance.now() + longestWait.stop
  while (performance.now() < until) {
    if (!isFolderLocked(folder)) return true
    const now = await readLastHolder(folder)
    if (now !== null && (now.pid !== holder.pid || now.started_at !== holder.started_at)) return true
    // A process that answers fails only for this request.
    const answers = await fetch(new URL('/health', holder.address ?? ''), { signal }).then(
      () => true,
      () => false,
    )
    if (answers) return false
    await delay(lookEvery, undefined, { signal })
  }
  return false
}

function describeHolder(folder: string, { pid, address, started_at }: ServiceFile): string {
  return `Process ${pid} holds ${shortPath(folder)} since ${started_at.replace(/\.\d+Z$/, 'Z')} and serves it at ${address}.`
}

function noAnswer(folder: string, { pid, address }: ServiceFile, cause: unknown): ConnectionError {
  return new ConnectionError(
    `Process ${pid} holds ${shortPath(folder)}, but its service at ${address} does not answer (${reasonOf(cause)}). End that process and run the command again.`,
    { cause },
  )
}
