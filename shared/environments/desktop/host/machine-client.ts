import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { BackendLostError } from '../../../../containers/env-host/session-backend.ts'
import { parseJson } from '../../../core/contracts/parse-json.ts'
import { clipStart } from '../../../core/contracts/well-formed.ts'
import { readPictureSize } from '../../../core/pictures/read-picture-size.ts'

/**
 * Milliseconds for a picture or a tree, and for an action: OSWorld's server itself ends an action after 120 seconds.
 */
const looksWithin = 30_000
const actsWithin = 130_000
const mostBytes = 32 * 1024 * 1024
const longestEdge = 8192
/** Observations are retried: a busy machine's server may fail at one. */
const tries = 3
const pauseBetween = 1000
const mostOfError = 500

const executedSchema = z.looseObject({
  status: z.string().optional(),
  message: z.string().optional(),
  error: z.string().nullish(),
  returncode: z.int().nullish(),
})
const treeSchema = z.object({ AT: z.string() })
const activitySchema = z.object({ cpu_seconds: z.number() })

// Prepares pyautogui as acting.py does in our own sessions.
const actionPrefix = [
  'import pyautogui',
  'import time',
  'pyautogui.FAILSAFE = False',
  "pyautogui.platformModule.keyboardMapping['<'] = pyautogui.platformModule.keyboardMapping[',']",
  '',
].join('\n')

/**
 * A desktop with the API of OSWorld's server: one of our own sessions, or a virtual machine of OSWorld.
 * @throws BackendLostError from every call, if the machine is unreachable or fails at its function
 */
export class Machine {
  readonly address: string
  readonly #lost: AbortSignal | undefined
  /** True if it has our sessions' routes, which OSWorld's server lacks; null: unknown yet. */
  #isOurs: boolean | null = null

  constructor(address: string, lost?: AbortSignal) {
    this.address = address
    this.#lost = lost
  }

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

  async accessibility(): Promise<string> {
    return this.#insist(async () => {
      const response = await this.#request('/accessibility?showing=true', { within: looksWithin })
      if (!response.ok) throw new Error(`/accessibility answered ${response.status}`)
      return treeSchema.parse(JSON.parse((await readBounded(response)).toString('utf8'))).AT
    })
  }

  /**
   * Runs Python code with pyautogui to its end.
   * @returns the end of its error, or null on success
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
        // A redirect could lead to any address that this host reaches.
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
