import type { Hit, Page, ShoppingSituation } from './webshop-prompt.ts'

const mostOpened = 2

export function rightAction(situation: ShoppingSituation): string {
  const { page, clicked, opened, searches } = situation
  switch (page.kind) {
    case 'search':
      return `search[${keywordsOf(situation).join(' ')}]`
    case 'results': {
      const fresh = page.hits.filter(({ asin }) => !opened.has(asin.toLowerCase()))
      const best = bestHit(situation, fresh)
      if (best !== undefined) return `click[${best.asin}]`
      return page.hasNext && searches > 0 ? 'click[Next >]' : 'click[Back to Search]'
    }
    case 'item': {
      const wanted = wantedChoices(situation, page.choices)
      const next = wanted.find((choice) => !clicked.has(choice.toLowerCase()))
      if (!fits(situation, page) && opened.size < mostOpened) return 'click[< Prev]'
      return next === undefined ? 'click[Buy Now]' : `click[${next}]`
    }
    case 'text':
      return 'click[< Prev]'
  }
}

export function fits(situation: ShoppingSituation, page: Extract<Page, { kind: 'item' }>): boolean {
  const wanted = wantedChoices(situation, page.choices)
  return page.price <= limitOf(situation) && missing(situation, page.title, wanted) <= 2
}

const emptyWords = new Set(
  (
    'a an and are as at be below below, budget but buy by can cheaper cost could dollars find for from get give has have i ' +
    'im in is it less like looking lower me more my must need no of on or out please price priced should show sister size ' +
    'some something than that the to under want which with would you color flavor scent style option'
  ).split(' '),
)

export function keywordsOf({ instruction }: ShoppingSituation): string[] {
  const text = instruction.toLowerCase().replace(/\$?\d+(?:\.\d+)? dollars/g, ' ')
  const words = text.match(/[\p{L}\p{N}]+(?:['.][\p{L}\p{N}]+)*/gu) ?? []
  return [...new Set(words.filter((word) => !emptyWords.has(word)))]
}

export function limitOf({ instruction }: ShoppingSituation): number {
  const limits = [...instruction.matchAll(/(\d+(?:\.\d+)?) dollars/g)]
  return Number(limits.at(-1)?.[1] ?? Number.POSITIVE_INFINITY)
}

function bestHit(situation: ShoppingSituation, hits: readonly Hit[]): Hit | undefined {
  const words = keywordsOf(situation)
  const limit = limitOf(situation)
  const scored = hits.map((hit) => ({
    hit,
    score: shared(words, hit.title) - (hit.price > limit ? words.length : 0),
  }))
  const best = Math.max(...scored.map(({ score }) => score))
  return scored.find(({ score }) => score === best)?.hit
}

function shared(words: readonly string[], title: string): number {
  const text = title.toLowerCase()
  return words.filter((word) => text.includes(word)).length
}

export function wantedChoices({ instruction }: ShoppingSituation, choices: readonly string[]): string[] {
  const text = instruction.toLowerCase()
  const named = choices.filter((choice) => names(text, choice.toLowerCase()))
  const headings = new Set(['color', 'size', 'style', 'scent', 'flavor'])
  return named.filter(
    (choice) =>
      !headings.has(choice) && !named.some((other) => other.length > choice.length && names(other, choice)),
  )
}

function names(text: string, phrase: string): boolean {
  const isLetter = (character: string | undefined) =>
    character !== undefined && /[\p{L}\p{N}-]/u.test(character)
  for (let at = text.indexOf(phrase); at >= 0; at = text.indexOf(phrase, at + 1)) {
    if (!isLetter(text[at - 1]) && !isLetter(text[at + phrase.length])) return true
  }
  return false
}

function missing(situation: ShoppingSituation, title: string, wanted: readonly string[]): number {
  const words = keywordsOf(situation)
  return words.length - shared(words, `${title} ${wanted.join(' ')}`)
}
