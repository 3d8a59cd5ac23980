import { randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Cookie } from 'playwright-core'
import { EspalierError } from '../../shared/core/contracts/errors.ts'
import type { JsonObject } from '../../shared/core/contracts/json.ts'
import type { BrowserAction } from '../../shared/environments/browser/actions/browser-action.ts'
import type { KeptDocument } from './kept-document.ts'
import type { MousePosition } from './perform-action.ts'
import type { SiteStates } from './site-copies.ts'

export interface KeptPage {
  sites: SiteStates
  /** Without the cookies by which sites identify the session. */
  cookies: readonly Cookie[]
  document: KeptDocument
  mouse: MousePosition | null
  actions: readonly BrowserAction[]
  text: string
}

/** Upper bound of the kept pages in bytes. Beyond it, the least recently used are dropped. */
const mostBytes = 128 * 1024 * 1024

export class KeptPages {
  readonly #pages = new LRUCache<string, KeptPage>({
    maxSize: mostBytes,
    sizeCalculation: ({ document: { body, ...answer }, ...page }) =>
      body.length + 2 * JSON.stringify([answer, page]).length,
  })

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
