import { type PageSituation, type PlannedMove, pageFields } from './page-situation.ts'
import type { PageElement } from './read-page.ts'

const endings = /^\s*(?:submit|search|ok|login|log in|go!?|sign in|done|order!?|send)\s*$/i

export function click(at: PageElement | undefined, isLast = false): PlannedMove | null {
  return at === undefined || at.id === '' ? null : { move: { kind: 'click', at }, isLast }
}

export function hover(at: PageElement | undefined): PlannedMove | null {
  return at === undefined || at.id === '' ? null : { move: { kind: 'hover', at }, isLast: false }
}

export function press(keys: string): PlannedMove {
  return { move: { kind: 'press', keys }, isLast: false }
}

export function named({ body }: PageSituation, name: string, role?: string): PageElement | undefined {
  const wanted = name.trim()
  const candidates = body.filter(
    (element) => element.id !== '' && (role === undefined || element.role === role),
  )
  const exact = candidates.filter((element) => element.name.trim() === wanted)
  const same =
    exact.length > 0
      ? exact
      : candidates.filter((element) => element.name.trim().toLowerCase() === wanted.toLowerCase())
  return same.find((element) => element.role !== 'StaticText' && element.role !== 'heading') ?? same[0]
}

export function submit({ body }: PageSituation): PlannedMove | null {
  const ends = body.filter(
    ({ id, name, properties }) => id !== '' && endings.test(name) && properties.disabled !== 'True',
  )
  return click(ends.find(({ role }) => role === 'button') ?? ends.at(-1), true)
}

export function clickedNames({ past }: PageSituation): string[] {
  return past.flatMap(({ move }) => (move.kind === 'click' ? [move.at.name.trim()] : []))
}

export function firstOf(...plans: readonly (() => PlannedMove | null)[]): PlannedMove | null {
  for (const plan of plans) {
    const found = plan()
    if (found !== null) return found
  }
  return null
}

/**
 * The move that brings a field to a text: typing it, or clearing the field first. Null if the field already contains
 * it. A field that hides its content, such as a password, is judged by the text typed into it.
 */
export function fill(
  situation: PageSituation,
  at: PageElement | undefined,
  text: string,
): PlannedMove | null {
  if (at === undefined || at.id === '' || holds(situation, at, text)) return null
  const isEmpty = (shownValue(situation, at) ?? '') === '' && typedInto(situation, at) === ''
  const isChosen = at.role === 'combobox'
  if (!isEmpty && !isChosen) return { move: { kind: 'clear', at }, isLast: false }
  return { move: { kind: 'type', at, text, withEnter: isChosen }, isLast: false }
}

function holds(situation: PageSituation, at: PageElement, text: string): boolean {
  const value = shownValue(situation, at)
  const typed = typedInto(situation, at)
  if (value === null) return typed === text
  return value === text || (/^•+$/.test(value) && value.length === text.length && typed === text)
}

export function shownValue({ page }: PageSituation, at: PageElement): string | null {
  const position = page.elements.indexOf(at)
  const inside: PageElement[] = []
  for (const element of page.elements.slice(position + 1)) {
    if (element.depth <= at.depth) break
    inside.push(element)
  }
  if (at.role === 'combobox') {
    return inside.find(({ properties }) => properties.selected === 'True')?.name ?? null
  }
  if (at.role === 'spinbutton' && inside.length === 0) return at.properties.valuetext ?? ''
  const texts = inside.filter(({ role }) => role === 'StaticText')
  return texts.length === 0 ? null : texts.map(({ name }) => name).join('')
}

function typedInto({ page, past }: PageSituation, at: PageElement): string {
  const field = pageFields(page.elements).indexOf(at)
  return past
    .filter((made) => made.field === field)
    .reduce((typed, { move }) => {
      if (move.kind === 'clear') return ''
      return move.kind === 'type' ? typed + move.text : typed
    }, '')
}

export function writable({ body }: PageSituation): PageElement[] {
  return pageFields(body).filter(
    ({ role, properties }) => role !== 'combobox' && properties.disabled !== 'True',
  )
}

export function ordinal(word: string): number {
  return Number.parseInt(word, 10) || 0
}
