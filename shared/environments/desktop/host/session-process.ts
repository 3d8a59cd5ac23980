import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { HostLog } from '../../../../containers/env-host/host-log.ts'
import { EspalierError } from '../../../core/contracts/errors.ts'
import { clipText } from '../../../core/contracts/well-formed.ts'
import { splitLines } from '../../../core/programs/split-lines.ts'

export const sessionMark = 'ESPALIER_DESKTOP_SESSION'

export interface SessionProcessOptions {
  command: readonly string[]
  variables: Record<string, string>
  mark: string
  startWithin: number
  log: HostLog
  signal?: AbortSignal | undefined
}

const lostWord = 'lost: '

const leaveWithin = 3

const tailLines = 8

export class SessionProcess {
  readonly #child: ChildProcess
  readonly #options: SessionProcessOptions
  readonly #tail: string[] = []
  readonly #lost = new AbortController()
  readonly #ended: Promise<void>
  #isClosing = false
  #why = ''

  constructor(options: SessionProcessOptions) {
    this.#options = options
    const [file = '', ...rest] = options.command
    this.#child = spawn(file, rest, {
      env: { ...options.variables, [sessionMark]: options.mark },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    this.#ended = this.#watch()
  }

  get lost(): AbortSignal {
    return this.#lost.signal
  }

  /**
   * Waits until the session reports that all its services answer.
   * @throws EspalierError `host_unreachable` with its last lines if it ends before, or is late
   */
  async ready(): Promise<void> {
    const { startWithin, signal } = this.#options
    const { stdout } = this.#child
    const isReady = new Promise<true>((resolve) => {
      if (stdout === null) return
      const ready = (line: string) => {
        if (line.startsWith('{"ready"')) resolve(true)
        else if (line.startsWith(lostWord)) this.#why = line.slice(lostWord.length)
        else this.#say(line)
      }
      splitLines(stdout, ready, () => this.#kill())
    })
    const timer = new AbortController()
    const late = sleep(startWithin * 1000, false, { signal: timer.signal }).catch(() => false)
    const aborted = signal && once(signal, 'abort', { signal: timer.signal }).catch(() => undefined)
    const first = await Promise.race([
      isReady,
      late.then(() => `it was not ready within ${startWithin} seconds`),
      this.#ended.then(() => 'it ended'),
      ...(aborted ? [aborted.then(() => 'it was given up')] : []),
    ])
    timer.abort()
    signal?.throwIfAborted()
    if (first === true) return
    const said = this.#tail.length === 0 ? 'It said nothing.' : `Its last lines: ${this.#tail.join(' | ')}`
    throw new EspalierError('host_unreachable', `The desktop did not start: ${first}. ${said}`)
  }

  /**
   * Ends all processes of the session.
   * @param isAskedFirst lets the first process exit by itself, so that its screen removes its files outside the
   * session's folders
   */
  async close(isAskedFirst: boolean): Promise<void> {
    this.#isClosing = true
    if (isAskedFirst) {
      this.#child.kill('SIGTERM')
      await Promise.race([this.#ended, sleep(leaveWithin * 1000)])
    }
    this.#kill()
    await this.#ended
    await endMarked(this.#options.mark)
  }

  #say(line: string): void {
    this.#options.log('info', 'desktop.said', { line: clipText(line, 500) })
    this.#tail.push(clipText(line, 300))
    if (this.#tail.length > tailLines) this.#tail.shift()
  }

  async #watch(): Promise<void> {
    const { stderr } = this.#child
    if (stderr) splitLines(stderr, (line) => this.#say(line))
    try {
      const [code, signal] = await once(this.#child, 'exit')
      if (!this.#isClosing) this.#options.log('warn', 'desktop.ended', { code, signal })
    } catch (error) {
      this.#say(`It could not be started: ${error instanceof Error ? error.message : String(error)}`)
    }
    this.#kill()
    if (this.#isClosing) return
    // Its last output may still arrive.
    await Promise.race([once(this.#child, 'close'), sleep(200)])
    this.#lost.abort(new Error(`The desktop has ended. ${this.#why || (this.#tail.at(-1) ?? '')}`))
  }

  #kill(): void {
    const { pid } = this.#child
    if (pid === undefined) return
    try {
      process.kill(-pid, 'SIGKILL')
    } catch (error) {
      if (!isGone(error)) throw error
    }
  }
}

/**
 * Ends the processes whose environment has the mark of a session, until none is left. Without a namespace, some have
 * left its process group.
 */
async function endMarked(mark: string): Promise<void> {
  for (let round = 0; round < 50; round++) {
    const found = await markedProcesses(mark)
    if (found.length === 0) return
    for (const id of found) {
      try {
        process.kill(id, 'SIGKILL')
      } catch (error) {
        if (!isGone(error)) throw error
      }
    }
    await sleep(20)
  }
}

export async function markedProcesses(mark: string): Promise<number[]> {
  const wanted = `${sessionMark}=${mark}`
  const ids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name)).map(Number)
  const marked = await Promise.all(
    ids.map(async (id) => {
      const text = await readFile(`/proc/${id}/environ`, 'utf8').catch(() => '')
      return text.split('\0').includes(wanted)
    }),
  )
  return ids.filter((_, index) => marked[index])
}

function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ESRCH'
}
