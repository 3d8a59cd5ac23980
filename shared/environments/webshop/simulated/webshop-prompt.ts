import type { Message } from '../../../core/contracts/message.ts'
import { readAction } from '../../simulated/policy.ts'

export interface Hit {
  readonly asin: string
  readonly title: string
  /** In dollars; the lower end of a range. */
  readonly price: number
}

export type Page =
  | { readonly kind: 'search' | 'text' }
  | { readonly kind: 'results'; readonly hits: readonly Hit[]; readonly hasNext: boolean }
  | {
      readonly kind: 'item'
      readonly title: string
      readonly price: number
      readonly choices: readonly string[]
    }

export interface ShoppingSituation {
  readonly instruction: string
  readonly page: Page
  readonly opened: ReadonlySet<string>
  readonly clicked: ReadonlySet<string>
  readonly searches: number
  readonly actions: number
}

export function readShoppingSituation(messages: readonly Message[]): ShoppingSituation | null {
  const newest = messages.findLast(
    (message) => message.role !== 'assistant' && readPage(message.content) !== null,
  )
  const shown = readPage(newest?.content ?? '')
  if (shown === null) return null
  const { instruction, page } = shown
  const start = messages.findIndex(
    ({ role, content }) => role !== 'assistant' && instructionOf(content) === instruction,
  )
  const opened = new Set<string>()
  let clicked = new Set<string>()
  let searches = 0
  let actions = 0
  let action = ''
  for (const { role, content } of messages.slice(start)) {
    if (role === 'assistant') {
      actions += 1
      action = (readAction(content) ?? '').toLowerCase()
      continue
    }
    const kind = readPage(content)?.page.kind
    const click = /^click\[(.+)\]/.exec(action)?.[1]
    if (kind === 'results' && action.startsWith('search[')) searches += 1
    if (kind === 'results' || kind === 'search') clicked = new Set()
    if (kind === 'item' && click !== undefined) {
      if (/^b[0-9a-z]{9}$/.test(click)) opened.add(click)
      else clicked.add(click)
    }
    if (kind === 'text' && click !== undefined) clicked.add(click)
    action = ''
  }
  return { instruction, page, opened, clicked, searches, actions }
}

function readPage(content: string): { instruction: string; page: Page } | null {
  const pieces = content.split(' [SEP] ')
  const heading = pieces.findLastIndex((piece) => /(?:^|\s)Instruction:$/.test(piece))
  const instruction = pieces[heading + 1]
  const [first, second = '', ...rest] = pieces.slice(heading + 2)
  if (heading < 0 || instruction === undefined) return null
  if (first !== undefined && /^Search\b/.test(first)) return { instruction, page: { kind: 'search' } }
  if (first !== 'Back to Search') return null
  if (second.startsWith('Page ')) return { instruction, page: readResults(rest) }
  const price = rest.findIndex((piece) => piece.startsWith('Price: '))
  if (price < 1 || rest.at(-1)?.startsWith('Buy Now') !== true) return { instruction, page: { kind: 'text' } }
  return {
    instruction,
    page: {
      kind: 'item',
      title: rest[price - 1] ?? '',
      price: dollarsOf(rest[price]),
      choices: rest.slice(0, price - 1),
    },
  }
}

function readResults(pieces: readonly string[]): Page {
  const hits: Hit[] = []
  for (const [position, piece] of pieces.entries()) {
    if (!/^B[0-9A-Z]{9}$/.test(piece)) continue
    hits.push({ asin: piece, title: pieces[position + 1] ?? '', price: dollarsOf(pieces[position + 2]) })
  }
  return { kind: 'results', hits, hasNext: pieces.includes('Next >') }
}

function instructionOf(content: string): string | null {
  return readPage(content)?.instruction ?? null
}

function dollarsOf(text = ''): number {
  return Number(/\$(\d+(?:\.\d+)?)/.exec(text)?.[1] ?? Number.POSITIVE_INFINITY)
}
