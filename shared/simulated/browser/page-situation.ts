import type { Message } from '../../contracts/message.ts'
import { readAction } from '../policy.ts'
import { type BrowserMove, type MoveGrammar, readMove } from './browser-move.ts'
import { type PageElement, type ReadPage, readPage } from './read-page.ts'

/** A move that was made, with what it was made on. */
export interface PastMove {
  readonly move: BrowserMove
  /** Which of the page's fields it was made on, from 0; -1 for what is no field. */
  readonly field: number
  /** The page that it was made on. */
  readonly on: ShownPage
}

/** A page with the address that was shown with it; empty where none was. */
export interface ShownPage {
  readonly page: ReadPage
  readonly address: string
}

/** What a prompt shows of a task on pages. */
export interface PageSituation {
  readonly objective: string
  readonly page: ReadPage
  /** Where the page is; empty where that is not shown. */
  readonly address: string
  /** What the page shows beside the objective, in its order. */
  readonly body: readonly PageElement[]
  readonly past: readonly PastMove[]
  readonly grammar: MoveGrammar
}

/** A move of a plan. */
export interface PlannedMove {
  readonly move: BrowserMove
  /** Whether the task should be done with it. */
  readonly isLast: boolean
  /** How many moves are left, this one included, where that can be said. */
  readonly left?: number
}

/** Knows one kind of sites: how their tasks are worded, and what to do next. */
export interface PagePlayer {
  readonly name: string
  /** The objective that an observation states; null for one of other sites. */
  objectiveOf(observation: string): string | null
  /** The next right move; null where none is known. */
  plan(situation: PageSituation): PlannedMove | null
}

/** Reads the newest page, and what was done since its objective first came up; null for a prompt without such pages. */
export function readPageSituation(messages: readonly Message[], player: PagePlayer): PageSituation | null {
  const isShown = ({ role, content }: Message) => role === 'user' && player.objectiveOf(content) !== null
  const newest = messages.findLast(isShown)
  const page = newest === undefined ? null : readPage(newest.content)
  const objective = newest === undefined ? null : player.objectiveOf(newest.content)
  if (page === null || objective === null) return null
  const past: PastMove[] = []
  let before: ShownPage | null = null
  for (const message of messages) {
    if (message.role === 'assistant') {
      const move = before === null ? null : readMove(readAction(message.content) ?? '', before.page)
      if (move !== null && before !== null)
        past.push({ move, field: fieldIndex(move, before.page), on: before })
    } else if (player.objectiveOf(message.content) === objective) before = readShown(message.content)
  }
  const [first] = messages
  const grammar = first?.content.includes('page.get_by_role(') === true ? 'playwright' : 'ids'
  const address = readAddress(newest?.content ?? '')
  return { objective, page, address, body: withoutObjective(page, objective), past, grammar }
}

function readShown(observation: string): ShownPage | null {
  const page = readPage(observation)
  return page === null ? null : { page, address: readAddress(observation) }
}

function readAddress(observation: string): string {
  return /^URL: (\S+)$/m.exec(observation)?.[1] ?? ''
}

const fieldRoles = new Set(['textbox', 'searchbox', 'spinbutton', 'combobox'])

/** What takes text, or is chosen from, in the order of the page. */
export function pageFields(elements: readonly PageElement[]): PageElement[] {
  return elements.filter(({ role }) => fieldRoles.has(role))
}

function fieldIndex(move: BrowserMove, { elements }: ReadPage): number {
  return 'at' in move ? pageFields(elements).indexOf(move.at) : -1
}

/** Pages show the objective first, in pieces: what is left out between two of them is short. */
const longestGap = 40

function withoutObjective({ elements }: ReadPage, objective: string): PageElement[] {
  const shown = elements.filter(({ role }) => role !== 'RootWebArea')
  let end = 0
  let count = 0
  for (const { role, name } of shown) {
    const words = name.trim()
    const found = objective.replaceAll('"', '').indexOf(words.replaceAll('"', ''), end)
    if (role !== 'StaticText' || found < 0 || found - end > longestGap || words === '') break
    end = found + words.replaceAll('"', '').length
    count += 1
  }
  return shown.slice(count)
}
