import type { Message } from '../../../core/contracts/message.ts'
import type { Random } from '../../../core/random/random.ts'
import { choose } from '../../../core/random/shuffled.ts'
import type { Expert, Outlook } from '../../simulated/expert.ts'
import { type Policy, readAction } from '../../simulated/policy.ts'
import { type BrowserMove, writeMove } from './browser-move.ts'
import { type PagePlayer, type PageSituation, planOnPage } from './page-situation.ts'
import { findElements, type PageElement } from './read-page.ts'

export function pagePolicy(player: PagePlayer): Policy {
  return {
    name: player.name,
    expert: pageExpert(player),
    answer(messages, skill, random) {
      const known = planOnPage(messages, player)
      if (known === null) return null
      const { situation, planned } = known
      const move = random() < skill ? (planned?.move ?? tryAnything(situation, random)) : null
      const made = move ?? choose(mistakes, random)?.(situation, random) ?? null
      if (made === null) return think('scroll [down]', random)
      return think(writeMove(made, situation.grammar), random)
    },
  }
}

type Mistake = (situation: PageSituation, random: Random) => BrowserMove | null

const clickable = /^(?:button|link|checkbox|radio|tab|menuitem|option|textbox|image)$/

const clickAny: Mistake = ({ body }, random) => {
  const at = choose(
    usable(body).filter(({ role }) => clickable.test(role)),
    random,
  )
  return at === undefined ? null : { kind: 'click', at }
}

const clickText: Mistake = ({ body }, random) => {
  const at = choose(usable(body), random)
  return at === undefined ? null : { kind: 'click', at }
}

const hoverAny: Mistake = ({ body }, random) => {
  const at = choose(usable(body), random)
  return at === undefined ? null : { kind: 'hover', at }
}

const typeWrong: Mistake = ({ body, objective }, random) => {
  const at = choose(
    usable(body).filter(({ role }) => role === 'textbox'),
    random,
  )
  const word = choose(objective.match(/[\p{L}\p{N}]+/gu) ?? [], random)
  return at === undefined || word === undefined ? null : { kind: 'type', at, text: word, withEnter: false }
}

const nameMissing: Mistake = () => ({
  kind: 'click',
  at: { id: '99', role: 'button', name: 'Continue', properties: {}, depth: 1 },
})

const mistakes: readonly Mistake[] = [clickAny, clickAny, clickText, hoverAny, typeWrong, nameMissing]

function tryAnything(situation: PageSituation, random: Random): BrowserMove | null {
  return clickAny(situation, random) ?? clickText(situation, random)
}

function usable(elements: readonly PageElement[]): PageElement[] {
  return elements.filter(({ id }) => id !== '')
}

const thoughts: readonly ((action: string) => string)[] = [
  (action) => `Going by the objective, ${action} comes next.`,
  (action) => `The newest page shows what I need, so: ${action}.`,
  () => 'I compare the page with the objective and go on.',
]

function think(action: string, random: Random): string {
  return `Thought: ${(choose(thoughts, random) ?? String)(action)}\nAction: ${action}`
}

/**
 * Estimates the moves that a page still needs. A page does not confirm completion, so a task counts as reached after
 * its planned last move. There are no functions for pages.
 */
function pageExpert(player: PagePlayer): Expert {
  return {
    name: player.name,
    look(messages) {
      const now = planOnPage(messages, player)
      if (now === null) return null
      const { situation, planned } = now
      const next = planned === null ? null : writeMove(planned.move, situation.grammar)
      const isReached = madeLastMove(messages, player)
      return {
        goal: situation.objective,
        isReached,
        isSpoiled: false,
        isRefused: isRefused(messages),
        next,
        missing: isReached ? 0 : (planned?.left ?? (planned?.isLast === true ? 1 : 2)),
        ...withoutFunctions,
      }
    },
  }
}

const withoutFunctions: Pick<Outlook, 'functions' | 'statements' | 'call'> = {
  functions: [],
  statements: () => [],
  call: () => null,
}

function madeLastMove(messages: readonly Message[], player: PagePlayer): boolean {
  const last = messages.findLastIndex(({ role }) => role === 'assistant')
  const before = last < 0 ? null : planOnPage(messages.slice(0, last), player)
  if (before?.planned?.isLast !== true) return false
  return (
    readAction(messages[last]?.content ?? '') === writeMove(before.planned.move, before.situation.grammar)
  )
}

/** The reason for a rejected action stands before the page and its objective. */
function isRefused(messages: readonly Message[]): boolean {
  const newest = messages.findLast(({ role }) => role === 'user')?.content ?? ''
  const head = newest.slice(0, Math.max(0, findElements(newest)))
  return /^(?:Invalid |There is no element|There is one page only|Only the sites of the task|This could not be done)/.test(
    head,
  )
}
