import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { clipStart } from '../../shared/contracts/well-formed.ts'
import { readPictureSize } from '../../shared/pixels/read-picture-size.ts'
import { BackendLostError } from '../env-host/session-backend.ts'

/** Milliseconds that a machine may take for a picture or a tree, and for an action: OSWorld's server ends one after 120 seconds itself. */
const looksWithin = 30_000
const actsWithin = 130_000
/** Bytes of an answer. Agents' code can put itself in the place of a machine's server. */
const mostBytes = 32 * 1024 * 1024
/** Pixels along an edge of a screen. */
const longestEdge = 8192
/** Looks are tried again: the server of a machine that is busy may fail at one. */
const tries = 3
const pauseBetween = 1000
/** The longest end of an error that an agent is shown. */
const mostOfError = 500

const executedSchema = z.looseObject({
  status: z.string().optional(),
  message: z.string().optional(),
  error: z.string().nullish(),
  returncode: z.int().nullish(),
})
const treeSchema = z.object({ AT: z.string() })
const activitySchema = z.object({ cpu_seconds: z.number() })

/** What OSWorld's controller puts before each action. */
const actionPrefix = 'import pyautogui\nimport time\npyautogui.FAILSAFE = False\n'

/**
 * A desktop that answers the API of OSWorld's server: one of our own sessions, or a virtual machine of OSWorld.
 *
 * @throws BackendLostError from every call, where the machine cannot be reached or fails at what it is for
 */
export class Machine {
  /** `http://host:port` of its server. */
  readonly address: string
  readonly #lost: AbortSignal | undefined
  /** Whether it has the routes that our sessions have and OSWorld's server has not; null: not known yet. */
  #isOurs: boolean | null = null

  /** @param lost fires when it is known to be gone */
  constructor(address: string, lost?: AbortSignal) {
    this.address = address
    this.#lost = lost
  }

  /** The screen with its cursor, as PNG. */
  async screenshot(): Promise<Buffer> {
    return this.#insist(async () => {
      const response = await this.#request('/screenshot', { within: looksWithin })
      if (!response.ok) throw new Error(`/screenshot answered ${response.status}`)
      const picture = await readBounded(response)
      const { width, height, type } = readPictureSize(picture)
      if (type !== 'png' || Math.max(width, height) > longestEdge)
        throw new Error('/screenshot is no PNG of a screen')
      return picture
    })
  }

  /** The accessibility tree of the screen, as XML. */
  async accessibility(): Promise<string> {
    return this.#insist(async () => {
      const response = await this.#request('/accessibility?showing=true', { within: looksWithin })
      if (!response.ok) throw new Error(`/accessibility answered ${response.status}`)
      return treeSchema.parse(JSON.parse((await readBounded(response)).toString('utf8'))).AT
    })
  }

  /**
   * Runs Python code with pyautogui, to its end.
   *
   * @returns the end of its error where it failed; null where it did not
   */
  async act(code: string): Promise<string | null> {
    if (this.#isOurs !== false) {
      const response = await this.#request('/espalier/act', { json: { code }, within: actsWithin })
      this.#isOurs = response.status !== 404
      if (this.#isOurs) return this.#errorOf(response)
    }
    const command = ['python', '-c', `${actionPrefix}${code}`]
    return this.#errorOf(
      await this.#request('/execute', { json: { command, shell: false }, within: actsWithin }),
    )
  }

  /** Seconds of processor that the programs on the desktop have used; null where the machine does not say. */
  async activity(): Promise<number | null> {
    if (this.#isOurs === false) return null
    return this.#insist(async () => {
      const response = await this.#request('/espalier/activity', { within: looksWithin })
      if (response.status === 404) this.#isOurs = false
      if (!response.ok) return null
      return activitySchema.parse(JSON.parse((await readBounded(response)).toString('utf8'))).cpu_seconds
    })
  }

  async #errorOf(response: Response): Promise<string | null> {
    const text = await readBounded(response).catch(() => Buffer.from('null'))
    const parsed = executedSchema.safeParse(parseJson(text.toString('utf8')))
    if (!parsed.success)
      throw new BackendLostError(`${this.address} answered an action with ${response.status}.`)
    const { status, message, error, returncode } = parsed.data
    if (response.ok && status !== 'error' && (returncode ?? 0) === 0) return null
    return clipStart((error || message || `It ended with ${returncode}.`).trim(), mostOfError)
  }

  async #insist<Answer>(look: () => Promise<Answer>): Promise<Answer> {
    for (let left = tries - 1; ; left -= 1) {
      try {
        return await look()
      } catch (error) {
        if (error instanceof BackendLostError) throw error
        const reason = error instanceof Error ? error.message : String(error)
        if (left === 0) throw new BackendLostError(`its desktop at ${this.address} fails: ${reason}.`)
        await delay(pauseBetween)
      }
    }
  }

  async #request(path: string, { json, within }: { json?: object; within: number }): Promise<Response> {
    const signals = [AbortSignal.timeout(within), ...(this.#lost ? [this.#lost] : [])]
    try {
      return await fetch(`${this.address}${path}`, {
        signal: AbortSignal.any(signals),
        // It would lead to whatever this host reaches.
        redirect: 'error',
        ...(json && {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(json),
        }),
      })
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      throw new BackendLostError(`its desktop at ${this.address} cannot be reached: ${reason}.`)
    }
  }
}

async function readBounded(response: Response): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of response.body ?? []) {
    size += piece.byteLength
    if (size > mostBytes) throw new Error(`it answered with more than ${mostBytes} bytes`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
