import { ActionParsingError, type BrowserAction, type PlaywrightCall } from './browser-action.ts'
import { parsePlaywrightCalls } from './parse-playwright-calls.ts'

const locators = new Set([
  'get_by_role',
  'get_by_text',
  'get_by_label',
  'get_by_placeholder',
  'get_by_alt_text',
  'get_by_title',
  'get_by_test_id',
  'filter',
  'frame_locator',
  'locator',
])

/**
 * Reads an action in Playwright's Python syntax, such as `page.get_by_role("link", name="Lamp").click()`. Nothing is
 * evaluated. It accepts only chains of these locators with literal arguments, and one action at the end.
 * @throws ActionParsingError if the text is no such chain.
 */
export function parsePlaywrightAction(written: string): BrowserAction {
  const code = written.trim()
  const calls = parsePlaywrightCalls(code)
  const last = calls.at(-1)
  if (last === undefined) throw new ActionParsingError(`Invalid playwright action ${code}`)
  const target = calls.slice(0, -1)
  const unknown = target.find(({ name }) => !locators.has(name))
  if (unknown !== undefined) throw new ActionParsingError(`Unknown playwright locator ${unknown.name}`)
  switch (last.name) {
    case 'press':
      return { kind: 'press', keys: text(last, 'KEY_COMB_STR') }
    case 'goto':
      return { kind: 'goto', url: text(last, 'URL_STR') }
    case 'scroll':
      return { kind: 'scroll', direction: code.includes('up') ? 'up' : 'down' }
    case 'type':
    case 'fill':
      return { kind: 'type', text: text(last, 'TEXT'), target: located(), code }
    case 'click':
    case 'hover':
    case 'clear':
      return { kind: last.name, target: located(), code }
    case 'check':
    case 'select_option':
      return { kind: last.name, target: located(), code }
    case 'page_focus':
      return { kind: 'focus_tab', tab: tabNumber(last) }
    case 'page_close':
      return { kind: 'close_tab' }
    case 'new_tab':
    case 'go_back':
    case 'go_forward':
      return { kind: last.name }
    case 'stop':
      return { kind: 'stop', answer: String(last.positional[0] ?? '') }
    default:
      throw new ActionParsingError(`Unknown playwright action ${last.name}`)
  }

  function located(): PlaywrightCall[] {
    if (target.length === 0) throw new ActionParsingError(`${code} names no element`)
    return last?.name === 'select_option' ? calls : target
  }
}

function text(call: PlaywrightCall, argument: string): string {
  const [value] = call.positional
  if (typeof value === 'string') return value
  throw new ActionParsingError(`Invalid ${call.name} action, required to be page.${call.name}(${argument})`)
}

function tabNumber(call: PlaywrightCall): number {
  const [value] = call.positional
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0) return value
  throw new ActionParsingError('page focus requires a page number')
}
