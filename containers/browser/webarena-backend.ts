import type { BrowserContext } from 'playwright-core'
import type { z } from 'zod'
import { EspalierError } from '../../shared/core/contracts/errors.ts'
import type { JsonObject } from '../../shared/core/contracts/json.ts'
import {
  ActionParsingError,
  type BrowserAction,
} from '../../shared/environments/browser/actions/browser-action.ts'
import { earlyStopReason } from '../../shared/environments/browser/actions/early-stop.ts'
import { parseIdAction } from '../../shared/environments/browser/actions/parse-id-action.ts'
import { parsePlaywrightAction } from '../../shared/environments/browser/actions/parse-playwright-action.ts'
import {
  type Benchmark,
  EvaluationError,
} from '../../shared/environments/browser/evaluation/compare-answer.ts'
import { evaluateTask } from '../../shared/environments/browser/evaluation/evaluate-task.ts'
import { noScore, type Score } from '../../shared/environments/browser/evaluation/score.ts'
import { matchElement } from '../../shared/environments/browser/observations/match-element.ts'
import type { SeenResult } from '../../shared/environments/session-source.ts'
import { evaluationTimeLimit, type WebarenaOptions } from '../../shared/environments/webarena/options.ts'
import type { packedTaskSchema } from '../../shared/environments/webarena/pack-format.ts'
import type { SessionSites } from '../../shared/environments/webarena/session-files.ts'
import {
  type SiteAddressBook,
  type SiteName,
  toRealAddress,
} from '../../shared/environments/webarena/site-names.ts'
import { packTrace, scoreTrace } from '../../shared/environments/webarena/verified/stored-trace.ts'
import { errorText, logEvent } from '../env-host/host-log.ts'
import type { BackendAnswer, KeptStateAccess, SessionBackend } from '../env-host/session-backend.ts'
import type { BrowserKeeper } from './browser-keeper.ts'
import { evaluatedBrowserPage } from './evaluated-browser-page.ts'
import { guardPage } from './guard-page.ts'
import { type KeptPage, type KeptPages, stateNotKept } from './kept-pages.ts'
import { observeSites, type Shown } from './observe-sites.ts'
import { openSitesContext, type SitesContext } from './open-sites.ts'
import { performAction } from './perform-action.ts'
import {
  keepPage,
  noteDocuments,
  type PlayedSites,
  refuseUnkeptBack,
  restorePage,
  startPlaying,
} from './played-sites.ts'
import { SiteCopies } from './site-copies.ts'
import { closeContext } from './trace-context.ts'

const longestKeep = 10_000

export interface WebarenaProblem extends z.infer<typeof packedTaskSchema> {
  benchmark: Benchmark
  options: WebarenaOptions
  access: SessionSites
  addresses: SiteAddressBook
  used: readonly SiteName[]
}

interface Outcome {
  valid: boolean
  note?: string
  answer?: string
}

/**
 * A session of WebArena or VisualWebArena: tabs on the sites in a separate context, scored when the task ends. If the
 * sites' states are readable, it restores just loaded pages without repeating the actions that led there.
 */
export class WebarenaBackend implements SessionBackend {
  readonly kept?: KeptStateAccess
  readonly #keeper: BrowserKeeper
  readonly #problem: WebarenaProblem
  readonly #copies: SiteCopies
  readonly #pages: KeptPages
  #context: BrowserContext | null = null
  #playing: PlayedSites | null = null
  #isKeeping = true

  constructor(keeper: BrowserKeeper, pages: KeptPages, problem: WebarenaProblem) {
    this.#keeper = keeper
    this.#pages = pages
    this.#problem = problem
    const { access, used, task } = problem
    this.#copies = new SiteCopies(access, used, task.require_reset)
    // A page that is gone back to lacks the requests before it.
    if (!this.#copies.haveStates || task.verified !== null) return
    this.kept = { keep: () => this.#keep(), restore: (state) => this.#restore(this.#pages.find(state)) }
  }

  async reset(): Promise<BackendAnswer> {
    await this.#closePages()
    await this.#copies.reset()
    const { shown, runtime } = await this.#open((opened) => startPlaying(opened, this.#problem, this.#copies))
    return { ...answerOf(shown, { valid: true }, noScore, false), runtime }
  }

  async step(written: string, seen?: SeenResult): Promise<BackendAnswer> {
    const { playing, outcome, answer } = await guardPage(() => this.#act(written, seen?.observation))
    // Show the page that the episode ended on: its evaluation may open others.
    if (answer === undefined) return answerOf(playing.shown, outcome, noScore, false)
    return guardPage(async () => {
      const verified = await this.#scoreByRequests(playing, answer)
      const score = verified?.score ?? (await this.#evaluate(playing, answer))
      const ended = answerOf(playing.shown, outcome, score, true)
      return verified === null ? ended : { ...ended, trace: verified.trace }
    }, evaluationTimeLimit)
  }

  validActions(): null {
    return null
  }

  async close(): Promise<void> {
    await this.#closePages()
    await this.#copies.close()
  }

  async #open(play: (opened: SitesContext) => Promise<PlayedSites>): Promise<PlayedSites> {
    let isLate = false
    try {
      const playing = await guardPage(async () => {
        const opened = await openSitesContext(await this.#keeper.take(), this.#problem)
        if (isLate) await closeContext(opened.context)
        else this.#context = opened.context
        return play(opened)
      })
      this.#playing = playing
      return playing
    } catch (error) {
      isLate = true
      await this.#closePages()
      throw error
    }
  }

  async #closePages(): Promise<void> {
    const context = this.#context
    this.#context = null
    this.#playing = null
    if (context !== null) await closeContext(context)
  }

  async #act(
    written: string,
    seen: string | undefined,
  ): Promise<{ playing: PlayedSites; outcome: Outcome; answer: string | undefined }> {
    const playing = this.#playing
    if (playing === null || playing.page.isClosed()) throw new Error('The page is closed.')
    const { loads } = playing.watch
    const outcome = await this.#take(playing, written, seen)
    const stopped = outcome.answer === undefined ? this.#stopEarly(playing) : undefined
    const answer = outcome.answer ?? stopped
    const note = [outcome.note, stopped && `${stopped}.`].filter(Boolean).join(' ')
    playing.shown = await observeSites(playing, this.#problem, 'step')
    await noteDocuments(playing, loads)
    playing.isNewDocument &&= answer === undefined
    return { playing, outcome: { ...outcome, note }, answer }
  }

  async #take(playing: PlayedSites, written: string, seen: string | undefined): Promise<Outcome> {
    const parsed = this.#parse(written)
    if (typeof parsed === 'string') {
      playing.actions.push({ kind: 'none' })
      return { valid: false, note: parsed }
    }
    if (parsed.kind === 'go_back') await refuseUnkeptBack(playing)
    const action = this.#onSites(parsed, playing, seen)
    playing.actions.push(parsed)
    if (typeof action === 'string') return { valid: false, note: action }
    if (action.kind === 'stop') return { valid: true, answer: action.answer }
    const { page, mouse, failure } = await performAction(playing.page, action, playing.shown.elements)
    if (mouse !== 'unmoved') playing.mouse = mouse === 'unknown' ? undefined : mouse
    playing.page = page
    return failure === undefined
      ? { valid: true }
      : { valid: false, note: `This could not be done: ${failure}` }
  }

  #stopEarly({ actions }: PlayedSites): string | undefined {
    const { steps, parsing_failures, repeated_actions } = this.#problem.options.early_stop
    const limits = { steps, parsingFailures: parsing_failures, repeatedActions: repeated_actions }
    const reason = earlyStopReason(actions, limits)
    return reason === undefined ? undefined : `Early stop: ${reason}`
  }

  #parse(written: string): BrowserAction | string {
    try {
      return this.#problem.options.action_set === 'id'
        ? parseIdAction(written)
        : parsePlaywrightAction(written)
    } catch (error) {
      if (error instanceof ActionParsingError) return `${error.message}.`
      throw error
    }
  }

  #onSites(action: BrowserAction, { shown }: PlayedSites, seen: string | undefined): BrowserAction | string {
    if (action.kind === 'goto') {
      const url = toRealAddress(
        action.url.includes('://') ? action.url : `http://${action.url}`,
        this.#problem.addresses,
      )
      const host = URL.canParse(url) ? new URL(url).host : ''
      const isSite = Object.values(this.#problem.access.sites).some((site) => site?.hosts.includes(host))
      return isSite && /^https?:/.test(url)
        ? { ...action, url }
        : 'Only the sites of the task can be reached.'
    }
    if (!('element' in action)) return action
    const element = seen === undefined ? action.element : matchElement(action.element, seen, shown)
    if (element !== undefined && shown.elements.has(element)) return { ...action, element }
    return `There is no element [${action.element}].`
  }

  /**
   * Any state that cannot be kept is reached by its actions. A failure costs time and is logged, and keeping is not
   * attempted again.
   */
  async #keep(): Promise<JsonObject | null> {
    const playing = this.#playing
    if (playing === null || !this.#isKeeping) return null
    try {
      const page = await guardPage(() => keepPage(playing, this.#copies), longestKeep)
      return page === null ? null : this.#pages.put(page)
    } catch (error) {
      this.#isKeeping = false
      logEvent('warn', 'browser.page_not_kept', { error: errorText(error) })
      return null
    }
  }

  async #restore(page: KeptPage): Promise<string> {
    try {
      // An open page could still change the copies.
      await this.#closePages()
      await this.#copies.restore(page.sites)
      const { shown } = await this.#open((opened) => restorePage(opened, page, this.#problem, this.#copies))
      return shown.text
    } catch (error) {
      logEvent('warn', 'browser.page_not_restored', { error: errorText(error) })
      if (!EspalierError.isInstance(error) || error.code !== 'state_not_kept')
        throw stateNotKept('The state cannot be gone back to.', error)
      // The saved state was incomplete, so stop saving.
      this.#isKeeping = false
      throw error
    }
  }

  async #scoreByRequests(
    { network }: PlayedSites,
    response: string,
  ): Promise<{ score: Score; trace: string } | null> {
    const { verified } = this.#problem.task
    if (verified === null || network === null) return null
    const { entries, incomplete } = await network.end()
    const { addresses: sites } = this.#problem
    const log = {
      ...{ version: '1.2', creator: { name: 'Espalier', version: '1' }, entries },
      _espalier: { task: verified, sites, response, incomplete },
    }
    const { score } = scoreTrace({ log })
    return { score: { ...noScore, score }, trace: await packTrace({ log }) }
  }

  async #evaluate({ page, access }: PlayedSites, answer: string): Promise<Score> {
    const { benchmark, options, task } = this.#problem
    const { intent, eval: evaluation } = task
    const ended = { benchmark: options.compare === 'exact' ? options.compare : benchmark, intent, evaluation }
    try {
      return await evaluateTask({ ...ended, answer }, evaluatedBrowserPage(page, access))
    } catch (error) {
      if (!(error instanceof EvaluationError)) throw error
      throw new EspalierError(
        'environment_failed',
        `The task ${task.task_id} cannot be scored: ${error.message}.`,
        {
          cause: error,
        },
      )
    }
  }
}

function answerOf(
  { text, pictures, captions }: Shown,
  { valid, note = '' }: Outcome,
  { score: reward, questions: verdicts }: Score,
  done: boolean,
): BackendAnswer {
  const isAsked = verdicts.length > 0 || captions.length > 0
  return {
    observation: note === '' ? text : `${note}\n\n${text}`,
    ...(pictures.length > 0 && { pictures }),
    ...(isAsked && { questions: { verdicts: verdicts.map((group) => [...group]), captions } }),
    reward,
    done,
    valid,
    progress: reward,
  }
}
