import type { Page } from 'playwright-core'
import type { z } from 'zod'
import type { BrowserKeeper } from '../../../../containers/browser/browser-keeper.ts'
import { capturePage } from '../../../../containers/browser/capture-page.ts'
import { guardPage } from '../../../../containers/browser/guard-page.ts'
import { runtimeOf } from '../../../../containers/browser/launch-browser.ts'
import { observePage } from '../../../../containers/browser/observe-page.ts'
import { performAction } from '../../../../containers/browser/perform-action.ts'
import { closeContext } from '../../../../containers/browser/trace-context.ts'
import { pageViewport, settleVirtually } from '../../../../containers/browser/virtual-page.ts'
import type { BackendAnswer, SessionBackend } from '../../../../containers/env-host/session-backend.ts'
import { ActionParsingError, type BrowserAction } from '../../browser/actions/browser-action.ts'
import { parseIdAction } from '../../browser/actions/parse-id-action.ts'
import type { SeenPage } from '../../browser/observations/seen-page.ts'
import type { miniwobOptions } from '../definition.ts'
import type { PageBundle } from '../page-bundle.ts'
import { openMiniwobPage, readOutcome } from './miniwob-page.ts'

const leaving = new Set<BrowserAction['kind']>([
  'goto',
  'go_back',
  'go_forward',
  'new_tab',
  'close_tab',
  'focus_tab',
])

export interface MiniwobProblem {
  page: string
  seed: number
  files: PageBundle
  options: z.infer<typeof miniwobOptions>
}

interface OpenPage {
  page: Page
  objective: string
  seen: SeenPage
}

export class MiniwobBackend implements SessionBackend {
  readonly #keeper: BrowserKeeper
  readonly #problem: MiniwobProblem
  #open: OpenPage | null = null
  #best = 0

  constructor(keeper: BrowserKeeper, problem: MiniwobProblem) {
    this.#keeper = keeper
    this.#problem = problem
  }

  async reset(): Promise<BackendAnswer> {
    await this.close()
    this.#best = 0
    return guardPage(async () => {
      const browser = await this.#keeper.take()
      const opened = await openMiniwobPage(browser, this.#problem.files, this.#problem)
      this.#open = { ...opened, seen: { text: '', elements: new Map() } }
      const answer = await this.#answer(this.#open, { valid: true, stopped: false })
      return { ...answer, runtime: runtimeOf(browser) }
    })
  }

  async step(action: string): Promise<BackendAnswer> {
    return guardPage(async () => {
      const open = this.#open
      if (open === null || open.page.isClosed()) throw new Error('The page is closed.')
      const parsed = parse(action)
      if (typeof parsed === 'string')
        return this.#answer(open, { valid: false, stopped: false, note: parsed })
      if ('element' in parsed && !open.seen.elements.has(parsed.element)) {
        const note = `There is no element [${parsed.element}].`
        return this.#answer(open, { valid: false, stopped: false, note })
      }
      if (parsed.kind === 'stop') return this.#answer(open, { valid: true, stopped: true })
      const { failure } = await performAction(open.page, parsed, open.seen.elements, settleVirtually)
      if (failure === undefined) return this.#answer(open, { valid: true, stopped: false })
      return this.#answer(open, { valid: false, stopped: false, note: `This could not be done: ${failure}` })
    })
  }

  validActions(): null {
    return null
  }

  async close(): Promise<void> {
    const open = this.#open
    this.#open = null
    if (open !== null) await closeContext(open.page.context())
  }

  async #answer(
    open: OpenPage,
    { valid, stopped, note }: { valid: boolean; stopped: boolean; note?: string },
  ): Promise<BackendAnswer> {
    const { observation: kind, screenshots } = this.#problem.options
    open.seen = await observePage(open.page, {
      kind,
      viewport: pageViewport,
      viewportOnly: false,
      asPublished: true,
    })
    const isMarked = kind === 'image_som'
    const pictures =
      isMarked || screenshots
        ? [await capturePage(open.page, isMarked ? open.seen.elements : undefined)]
        : undefined
    const outcome = await readOutcome(open.page)
    const reward = outcome.done ? Math.min(1, Math.max(0, outcome.reward)) : 0
    this.#best = Math.max(this.#best, reward)
    const observation = [`Objective: ${open.objective}`, open.seen.text]
    if (note !== undefined) observation.unshift(note)
    return {
      observation: observation.join('\n\n'),
      ...(pictures && { pictures }),
      reward,
      done: outcome.done || stopped,
      valid,
      progress: this.#best,
    }
  }
}

function parse(action: string): BrowserAction | string {
  try {
    const parsed = parseIdAction(action)
    return leaving.has(parsed.kind) ? `There is one page only, so ${parsed.kind} leads nowhere.` : parsed
  } catch (error) {
    if (error instanceof ActionParsingError) return `${error.message}.`
    throw error
  }
}
