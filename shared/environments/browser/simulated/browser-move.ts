import type { PageElement, ReadPage } from './read-page.ts'

export type BrowserMove =
  | { readonly kind: 'click' | 'hover' | 'clear'; readonly at: PageElement }
  | { readonly kind: 'type'; readonly at: PageElement; readonly text: string; readonly withEnter: boolean }
  | { readonly kind: 'press'; readonly keys: string }
  | { readonly kind: 'goto'; readonly address: string }
  | { readonly kind: 'stop'; readonly answer: string }

export type MoveGrammar = 'ids' | 'playwright'

export function writeMove(move: BrowserMove, grammar: MoveGrammar): string {
  return grammar === 'ids' ? writeById(move) : writeByLocator(move)
}

function writeById(move: BrowserMove): string {
  switch (move.kind) {
    case 'type':
      return `type [${move.at.id}] [${move.text}] [${move.withEnter ? 1 : 0}]`
    case 'press':
      return `press [${move.keys}]`
    case 'goto':
      return `goto [${move.address}]`
    case 'stop':
      return `stop [${move.answer}]`
    default:
      return `${move.kind} [${move.at.id}]`
  }
}

function writeByLocator(move: BrowserMove): string {
  switch (move.kind) {
    case 'type':
      return `${locator(move.at)}.fill(${JSON.stringify(move.withEnter ? `${move.text}\n` : move.text)})`
    case 'press':
      return `page.press(${JSON.stringify(move.keys)})`
    case 'goto':
      return `page.goto(${JSON.stringify(move.address)})`
    case 'stop':
      return `page.stop(${JSON.stringify(move.answer)})`
    default:
      return `${locator(move.at)}.${move.kind}()`
  }
}

function locator({ role, name }: PageElement): string {
  if (role === 'StaticText') return `page.get_by_text(${JSON.stringify(name)}, exact=True)`
  const named = name === '' ? '' : `, name=${JSON.stringify(name)}, exact=True`
  return `page.get_by_role(${JSON.stringify(role)}${named})`
}

const byId = /^(click|hover|clear|type) ?\[(\d+)\](?: ?\[(.*?)\](?: ?\[([01])\])?)?$/
const pressed = /^(?:page\.)?press(?: ?\[(.+)\]|\("(.+)"\))$/
const went = /^(?:page\.)?goto(?: ?\[(.+)\]|\("(.+)"\))$/
const located =
  /^page\.get_by_(?:text\("(.+?)"|role\("([^"]+)"(?:, name="(.+?)")?)(?:, exact=True)?\)\.(click|hover|clear|fill)\((?:"(.*)")?\)$/

/** Parses a move in either grammar; null if it is invalid or its element is not on the page. */
export function readMove(text: string, page: ReadPage): BrowserMove | null {
  const press = pressed.exec(text)
  if (press !== null) return { kind: 'press', keys: press[1] ?? press[2] ?? '' }
  const goto = went.exec(text)
  if (goto !== null) return { kind: 'goto', address: goto[1] ?? goto[2] ?? '' }
  const [, kind, id, typed = '', enter] = byId.exec(text) ?? []
  if (kind !== undefined) {
    return at(
      kind,
      page.elements.find((element) => element.id === id),
      typed,
      enter !== '0',
    )
  }
  const [, words, role, name, call, value = ''] = located.exec(text) ?? []
  if (call === undefined) return null
  const element = page.elements.find((each) =>
    words === undefined
      ? each.role === role && (name === undefined || each.name === name)
      : each.name === words,
  )
  const filled = value.replace(/\\n$/, '')
  return at(call === 'fill' ? 'type' : call, element, filled, filled !== value)
}

function at(
  kind: string,
  element: PageElement | undefined,
  text: string,
  withEnter: boolean,
): BrowserMove | null {
  if (element === undefined) return null
  if (kind === 'type') return { kind, at: element, text, withEnter }
  return kind === 'click' || kind === 'hover' || kind === 'clear' ? { kind, at: element } : null
}
