import { randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Cookie } from 'playwright-core'
import { EspalierError } from '../../shared/contracts/errors.ts'
import type { JsonObject } from '../../shared/contracts/json.ts'
import type { BrowserAction } from '../../shared/environments/browser/actions/browser-action.ts'
import type { KeptDocument } from './kept-document.ts'
import type { MousePosition } from './perform-action.ts'
import type { SiteStates } from './site-copies.ts'

/** A page of a session on sites, with all that its next step depends on. */
export interface KeptPage {
  sites: SiteStates
  /** Without those by which sites know the session. */
  cookies: readonly Cookie[]
  document: KeptDocument
  /** Where the mouse is; null: it has not been moved. */
  mouse: MousePosition | null
  /** Those that led there, for the rules of early stopping. */
  actions: readonly BrowserAction[]
  /** What is shown there, to know the page again. */
  text: string
}

/** Bytes of pages that are kept; above that, the ones that were longest unused are dropped. */
const mostBytes = 128 * 1024 * 1024

/** The pages that a host keeps for its sessions, of all environments that it serves. */
export class KeptPages {
  readonly #pages = new LRUCache<string, KeptPage>({
    maxSize: mostBytes,
    sizeCalculation: ({ document: { body, ...answer }, ...page }) =>
      body.length + 2 * JSON.stringify([answer, page]).length,
  })

  /** @returns what {@link find} knows it by */
  put(page: KeptPage): JsonObject {
    const kept = randomUUID()
    this.#pages.set(kept, page)
    return { kept }
  }

  /** @throws EspalierError `state_not_kept` */
  find({ kept }: JsonObject): KeptPage {
    const page = typeof kept === 'string' ? this.#pages.get(kept) : undefined
    if (page === undefined) throw stateNotKept('This host does not keep the state, or not any more.')
    return page
  }
}

export function stateNotKept(what: string, cause?: unknown): EspalierError {
  return new EspalierError(
    'state_not_kept',
    `${what} Go back to the start of the task, and take its steps again.`,
    { cause },
  )
}
