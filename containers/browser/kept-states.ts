import { randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Cookie } from 'playwright-core'
import { EspalierError } from '../../shared/contracts/errors.ts'
import type { JsonObject } from '../../shared/contracts/json.ts'
import type { BrowserAction } from '../../shared/environments/browser/actions/browser-action.ts'
import type { KeptDocument } from './kept-document.ts'
import type { CopyStates } from './site-copies.ts'

/** A state of a session on sites: all that its next step depends on. */
export interface KeptState {
  copies: CopyStates
  /** Without those by which sites know the session. */
  cookies: readonly Cookie[]
  document: KeptDocument
  /** Where the mouse is. */
  pointer: { x: number; y: number } | null
  /** Those that led there, for the rules of early stopping. */
  actions: readonly BrowserAction[]
  /** What is shown there, to know the state again. */
  text: string
}

/** Bytes of states that are kept; above that, the ones that were longest unused are dropped. */
const mostBytes = 128 * 1024 * 1024

/** The states that a host keeps for its sessions, of all environments that it serves. */
export class KeptStates {
  readonly #states = new LRUCache<string, KeptState>({
    maxSize: mostBytes,
    sizeCalculation: ({ document: { body, ...answer }, ...state }) =>
      body.length + 2 * JSON.stringify([answer, state]).length,
  })

  /** @returns what {@link find} knows it by */
  put(state: KeptState): JsonObject {
    const kept = randomUUID()
    this.#states.set(kept, state)
    return { kept }
  }

  /** @throws EspalierError `state_not_kept` */
  find({ kept }: JsonObject): KeptState {
    const state = typeof kept === 'string' ? this.#states.get(kept) : undefined
    if (state === undefined) throw stateNotKept('This host does not keep the state, or not any more.')
    return state
  }
}

export function stateNotKept(what: string, cause?: unknown): EspalierError {
  return new EspalierError(
    'state_not_kept',
    `${what} Go back to the start of the task, and take its steps again.`,
    {
      cause,
    },
  )
}
