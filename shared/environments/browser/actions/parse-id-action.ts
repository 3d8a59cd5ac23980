import { pythonStrip } from '../../python-text.ts'
import { ActionParsingError, type BrowserAction } from './browser-action.ts'

const digits = '\\p{Nd}+'
const patterns = {
  click: new RegExp(`click ?\\[(${digits})\\]`, 'u'),
  clear: new RegExp(`clear ?\\[(${digits})\\]`, 'u'),
  hover: new RegExp(`hover ?\\[(${digits})\\]`, 'u'),
  type: new RegExp(`type ?\\[(${digits})\\] ?\\[([^\n]+)\\] ?\\[(${digits})\\]`, 'u'),
  press: /press ?\[([^\n]+)\]/,
  scroll: /scroll ?\[?(up|down)\]?/,
  goto: /goto ?\[([^\n]+)\]/,
  tabFocus: new RegExp(`tab_focus ?\\[(${digits})\\]`, 'u'),
  stop: /stop ?\[([^\n]+)\]/,
} as const

/**
 * Reads an action that names elements by id, as VisualWebArena and WebArena write it under the tags
 * `id_accessibility_tree` and `som`: `click [12]`, `type [5] [hello] [0]`, `stop [The answer]`. As in the reference,
 * text after a complete action is ignored, and `upload` is never accepted.
 * @throws ActionParsingError if the text is no action.
 */
export function parseIdAction(written: string): BrowserAction {
  const text = pythonStrip(written)
  const name = text.includes('[') ? pythonStrip(text.slice(0, text.indexOf('['))) : firstWord(text)
  switch (name) {
    case 'click':
    case 'clear':
    case 'hover':
      return { kind: name, element: take(name, patterns[name], text)[0] }
    case 'type':
      return parseType(text)
    case 'press':
      return { kind: 'press', keys: take(name, patterns.press, text)[0] }
    case 'scroll':
      return { kind: 'scroll', direction: take(name, patterns.scroll, text)[0] === 'up' ? 'up' : 'down' }
    case 'goto':
      return { kind: 'goto', url: take(name, patterns.goto, text)[0] }
    case 'tab_focus':
      return { kind: 'focus_tab', tab: Number(take(name, patterns.tabFocus, text)[0]) }
    case 'new_tab':
    case 'close_tab':
    case 'go_back':
    case 'go_forward':
      return { kind: name }
    case 'stop':
      return { kind: 'stop', answer: patterns.stop.exec(text)?.[1] ?? '' }
    case 'upload':
      throw new ActionParsingError(`Invalid type action ${withEnterFlag(text)}`)
    default:
      throw new ActionParsingError(`Invalid action ${text}`)
  }
}

function parseType(text: string): BrowserAction {
  const [element, typed, enter] = take('type', patterns.type, withEnterFlag(text))
  return { kind: 'type', element, text: enter === '1' ? `${typed}\n` : `${typed}` }
}

function withEnterFlag(text: string): string {
  return /\[[01]\]$/.test(text) ? text : `${text} [1]`
}

function take(name: string, pattern: RegExp, text: string): [string, ...string[]] {
  const [, first, ...others] = pattern.exec(text) ?? []
  if (first === undefined) throw new ActionParsingError(`Invalid ${name} action ${text}`)
  return [first, ...others]
}

function firstWord(text: string): string {
  if (text === '') throw new ActionParsingError(`No action specified: ${text}`)
  return text.split(/\s+/, 1)[0] ?? ''
}
