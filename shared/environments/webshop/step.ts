import type { StepResult } from '../environment.ts'
import { hasNext, hitsOn, type Shop, showPage, subPages, type WebshopState } from './page.ts'
import type { Product } from './product.ts'
import type { Compatibility } from './reward.ts'

/** Maximum length of an action. A state stores its keywords, and must stay small. */
export const longestAction = 1000

export function createWebshopStep(
  shop: Shop,
): (state: WebshopState, action: string) => StepResult<WebshopState> {
  return (state, action) => {
    const parsed = parseAction(action, shop.compatibility)
    const next = parsed === null ? null : follow(shop, state, parsed)
    if (next === null) return answer(shop, state, state, false)
    return answer(shop, state, next, true)
  }
}

export function clicksOn(shop: Shop, state: WebshopState): string[] {
  switch (state.page) {
    case 'search':
    case 'done':
      return []
    case 'results': {
      const buttons = [...(state.number > 1 ? ['< prev'] : []), ...(hasNext(shop, state) ? ['next >'] : [])]
      return ['back to search', ...buttons, ...hitsOn(shop, state).map((asin) => asin.toLowerCase())]
    }
    case 'item': {
      const values = shop.catalogue.find(state.asin)?.options.flatMap(([, shown]) => shown) ?? []
      return [...new Set(['back to search', '< prev', ...subPages, 'buy now', ...values])].filter(
        (value) =>
          value !== 'search' && parseAction(`click[${value}]`, shop.compatibility)?.argument === value,
      )
    }
    default:
      return ['back to search', '< prev']
  }
}

interface ParsedAction {
  kind: 'search' | 'click'
  argument: string
}

/**
 * Reads `search[…]` and `click[…]`. The argument is the text between the first bracket and the line's last closing
 * one. Later text does not count. (The original begins at the last opening bracket, so an option such as `red [2
 * pack]` cannot be chosen there.)
 */
function parseAction(action: string, compatibility: Compatibility): ParsedAction | null {
  if (action.length > longestAction) return null
  const [line = ''] = action.split('\n', 1)
  const close = line.lastIndexOf(']')
  if (close < 2) return null
  const open = compatibility === 'original' ? line.lastIndexOf('[', close - 2) : line.indexOf('[')
  const kind = line.slice(0, Math.max(0, open))
  const argument = line.slice(open + 1, close).toLowerCase()
  return argument !== '' && (kind === 'search' || kind === 'click') ? { kind, argument } : null
}

function follow(shop: Shop, state: WebshopState, { kind, argument }: ParsedAction): WebshopState | null {
  if (state.page === 'done') return null
  if (kind === 'search') return { ...state, ...blank, page: 'results', keywords: argument, number: 1 }
  if (!clicksOn(shop, state).includes(argument)) return null
  if (argument === 'back to search') return { ...state, ...blank, page: 'search' }
  switch (state.page) {
    case 'results': {
      if (argument === 'next >') return { ...state, number: state.number + 1 }
      if (argument === '< prev') return { ...state, number: state.number - 1 }
      const asin = hitsOn(shop, state).find((hit) => hit.toLowerCase() === argument)
      return asin === undefined ? null : { ...state, page: 'item', asin }
    }
    case 'item':
      return followItem(shop, state, argument)
    default:
      return { ...state, page: 'item' }
  }
}

const blank = { keywords: '', number: 0, asin: '', choices: [] } satisfies Partial<WebshopState>

function followItem(shop: Shop, state: WebshopState, argument: string): WebshopState | null {
  if (argument === 'buy now') return { ...state, page: 'done' }
  if (argument === '< prev') return { ...state, page: 'results', asin: '', choices: [] }
  const page = subPages.find((name) => name === argument)
  if (page !== undefined) return { ...state, page }
  const option = shop.catalogue.find(state.asin)?.options.findLast(([, values]) => values.includes(argument))
  if (option === undefined) return null
  const [name] = option
  const isChosen = state.choices.some(([chosen]) => chosen === name)
  const choices: WebshopState['choices'] = isChosen
    ? state.choices.map((choice) => (choice[0] === name ? [name, argument] : choice))
    : [...state.choices, [name, argument]]
  return { ...state, choices }
}

function answer(
  shop: Shop,
  before: WebshopState,
  after: WebshopState,
  valid: boolean,
): StepResult<WebshopState> {
  const worth =
    after.page === 'item' || after.page === 'done' ? worthOf(shop, after, shop.catalogue.find(after.asin)) : 0
  const done = after.page === 'done'
  const bought = done && before.page !== 'done'
  const reward = bought ? worth : 0
  const state = worth > after.best ? { ...after, best: worth } : after
  return { state, observation: showPage(shop, state, worth), reward, done, valid, progress: state.best }
}

function worthOf({ goals, reward }: Shop, { goal, choices }: WebshopState, product: Product | null): number {
  const wanted = goals[goal]
  return wanted === undefined || product === null ? 0 : reward(wanted, goal, product, choices)
}
