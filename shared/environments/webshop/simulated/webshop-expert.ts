import type { Message } from '../../../core/contracts/message.ts'
import { calledName, callText, type Expert, type Outlook } from '../../simulated/expert.ts'
import { readAction } from '../../simulated/policy.ts'
import { namedOptions, webshopFunctions } from './webshop-functions.ts'
import { fits, keywordsOf, limitOf, rightAction, wantedChoices } from './webshop-planner.ts'
import { readShoppingSituation, type ShoppingSituation } from './webshop-prompt.ts'

export const webshopExpert: Expert = {
  name: 'webshop',
  look(messages) {
    const situation = readShoppingSituation(messages)
    return situation === null ? null : outlookOf(situation, messages)
  },
}

function outlookOf(situation: ShoppingSituation, messages: readonly Message[]): Outlook {
  const last = messages.findLast(({ role }) => role !== 'assistant')?.content ?? ''
  const isBought = last.startsWith('Thank you for shopping with us!')
  const score = Number(/\(min 0\.0, max 1\.0\) \[SEP\] ([\d.]+)/.exec(last)?.[1] ?? 1)
  return {
    goal: `buy what was asked for: ${situation.instruction}`,
    isReached: isBought && score === 1,
    isSpoiled: isBought && score < 1,
    isRefused: !isBought && isRefused(messages),
    next: isBought ? null : rightAction(situation),
    missing: isBought ? 0 : stepsLeft(situation),
    functions: webshopFunctions,
    statements: () => statementsOf(situation),
    usage: () => [searchCall(situation), callText('chooseAndBuy', 'the option that was asked for')],
    call(known) {
      const call = nextCall(situation)
      return call !== null && known.has(calledName(call)) ? call : null
    },
  }
}

/** An impossible action shows the same page again. So does choosing an option, but the page lists that option. */
function isRefused(messages: readonly Message[]): boolean {
  const [before, action, after] = messages.slice(-3)
  if (before === undefined || action?.role !== 'assistant' || before.content !== after?.content) return false
  const [, clicked] = /^click\[(.+)\]/.exec(readAction(action.content) ?? '') ?? []
  const pieces = before.content.toLowerCase().split(' [sep] ')
  return clicked === undefined || !pieces.includes(clicked.toLowerCase())
}

function stepsLeft(situation: ShoppingSituation): number {
  const { page } = situation
  switch (page.kind) {
    case 'search':
      return 5
    case 'results':
      return 4
    case 'text':
      return 3
    case 'item':
      return rightAction(situation) === 'click[< Prev]' || !fits(situation, page)
        ? 4
        : 1 + optionsLeft(situation).length
  }
}

function optionsLeft(situation: ShoppingSituation): string[] {
  const { page, clicked } = situation
  const wanted = page.kind === 'item' ? wantedChoices(situation, page.choices) : []
  return wanted.filter((choice) => !clicked.has(choice.toLowerCase()))
}

function nextCall(situation: ShoppingSituation): string | null {
  const { page, searches } = situation
  if (page.kind === 'search' && searches === 0) return searchCall(situation)
  const options = optionsLeft(situation)
  const isFound = page.kind === 'item' && rightAction(situation) !== 'click[< Prev]'
  return isFound && options.length > 0 ? callText('chooseAndBuy', options.join('; ')) : null
}

function searchCall(situation: ShoppingSituation): string {
  const limit = limitOf(situation)
  const dollars = Number.isFinite(limit) ? limit.toFixed(2) : '1000000'
  return callText('searchAndOpen', keywordsOf(situation).join(' '), dollars)
}

function statementsOf(situation: ShoppingSituation): string[] {
  return [
    namedOptions,
    `const page = ${searchCall(situation)}`,
    `chooseAndBuy(namedOptions(page, ${JSON.stringify(situation.instruction)}))`,
  ]
}
