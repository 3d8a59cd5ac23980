import type { Message } from '../../../core/contracts/message.ts'
import type { Expert, Outlook } from '../../simulated/expert.ts'
import { readAction } from '../../simulated/policy.ts'
import { writeMove } from './browser-move.ts'
import { type PagePlayer, planOnPage } from './page-situation.ts'
import { findElements } from './read-page.ts'

/**
 * Estimates the moves that a page still needs. A page does not confirm completion, so a task counts as reached after
 * its planned last move. There are no functions for pages.
 */
export function pageExpert(player: PagePlayer): Expert {
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
