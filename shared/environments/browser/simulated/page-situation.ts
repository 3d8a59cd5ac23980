import type { Message } from '../../../core/contracts/message.ts'
import { readAction } from '../../simulated/policy.ts'
import { type BrowserMove, type MoveGrammar, readMove } from './browser-move.ts'
import { type PageElement, type ReadPage, readPage } from './read-page.ts'

export interface PastMove {
  readonly move: BrowserMove
  /** The index of the page's field, from 0; -1 if the element is not a field. */
  readonly field: number
  readonly on: ShownPage
}

export interface ShownPage {
  readonly page: ReadPage
  readonly address: string
}

export interface PageSituation {
  readonly objective: string
  readonly page: ReadPage
  readonly address: string
  readonly body: readonly PageElement[]
  readonly past: readonly PastMove[]
  readonly grammar: MoveGrammar
}

export interface PlannedMove {
  readonly move: BrowserMove
  readonly isLast: boolean
  readonly left?: number
}

export interface PagePlayer {
  readonly name: string
  objectiveOf(observation: string): string | null
  plan(situation: PageSituation): PlannedMove | null
}

export interface PagePlan {
  readonly situation: PageSituation
  readonly planned: PlannedMove | null
}

export function planOnPage(messages: readonly Message[], player: PagePlayer): PagePlan | null {
  const situation = readPageSituation(messages, player)
  return situation && { situation, planned: player.plan(situation) }
}

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

export function pageFields(elements: readonly PageElement[]): PageElement[] {
  return elements.filter(({ role }) => fieldRoles.has(role))
}

function fieldIndex(move: BrowserMove, { elements }: ReadPage): number {
  return 'at' in move ? pageFields(elements).indexOf(move.at) : -1
}

/** Pages show the objective first, in pieces. The text missing between two pieces is at most this long. */
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
