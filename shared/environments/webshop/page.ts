import type { Catalogue } from './catalogue.ts'
import type { Goal } from './goal.ts'
import { dollars, type Product } from './product.ts'
import type { Choice, Compatibility } from './reward.ts'

export interface Shop {
  readonly catalogue: Catalogue
  readonly goals: readonly Goal[]
  readonly compatibility: Compatibility
  reward(goal: Goal, number: number, product: Product, choices: readonly Choice[]): number
}

export const subPages = ['description', 'features', 'reviews'] as const

export type WebshopState = {
  goal: number
  page: 'search' | 'results' | 'item' | (typeof subPages)[number] | 'done'
  keywords: string
  number: number
  asin: string
  choices: Choice[]
  best: number
}

const pageSize = 10

export function hitsOn({ catalogue }: Shop, { keywords, number }: WebshopState): readonly string[] {
  return catalogue.search(keywords).slice((number - 1) * pageSize, number * pageSize)
}

/**
 * True if a `Next >` is shown: while hits are left. (The original always has it, and shows empty pages past the
 * last.)
 */
export function hasNext({ catalogue, compatibility }: Shop, { keywords, number }: WebshopState): boolean {
  return compatibility === 'original' || number * pageSize < catalogue.search(keywords).length
}

export function showPage(shop: Shop, state: WebshopState, reward = 0): string {
  const instruction = ['Instruction:', shop.goals[state.goal]?.instruction ?? '']
  const product = shop.catalogue.find(state.asin)
  return join(pieces())

  function pieces(): string[] {
    switch (state.page) {
      case 'search':
        return ['WebShop', ...instruction, 'Search']
      case 'results':
        return [...instruction, 'Back to Search', ...resultPieces(shop, state)]
      case 'done':
        return donePieces(state, reward)
      case 'item':
        return [...instruction, 'Back to Search', '< Prev', ...(product === null ? [] : itemPieces(product))]
      default:
        return [
          ...instruction,
          'Back to Search',
          '< Prev',
          ...(product === null ? [] : textsOf(product, state.page)),
        ]
    }
  }
}

function resultPieces(shop: Shop, state: WebshopState): string[] {
  const { catalogue } = shop
  const total = catalogue.search(state.keywords).length
  const buttons = [...(state.number > 1 ? ['< Prev'] : []), ...(hasNext(shop, state) ? ['Next >'] : [])]
  const hits = hitsOn(shop, state).flatMap((asin) => {
    const product = catalogue.find(asin)
    return product === null ? [] : [asin, product.name, product.price_tag]
  })
  return [`Page ${state.number} (Total results: ${total})`, ...buttons, ...hits]
}

function itemPieces({ options, name, price_tag }: Product): string[] {
  const choices = options.flatMap(([option, values]) => [option, ...values])
  const facts = [name, `Price: ${price_tag}`, 'Rating: N.A.']
  return [...choices, ...facts, 'Description', 'Features', 'Reviews', 'Buy Now']
}

function textsOf({ description, features }: Product, page: (typeof subPages)[number]): string[] {
  if (page === 'reviews') return ['No reviews found']
  if (page === 'features') return features
  return description === '' ? [] : [description]
}

function donePieces({ asin, choices }: WebshopState, reward: number): string[] {
  const sorted = [...choices].sort(([one], [other]) => (one < other ? -1 : 1))
  const chosen = sorted.map(([name, value]) => `${quoted(name)}: ${quoted(value)}`).join(', ')
  const thanks = [
    'Thank you for shopping with us!',
    'Your code:',
    'None',
    '(Paste it in your MTurk interface.)',
  ]
  const bought = [
    'asin',
    asin,
    'options',
    `{${chosen}}`,
    'attrs',
    'None',
    'category',
    'None',
    'query',
    'None',
  ]
  const wanted = [
    'asin',
    'options',
    'attrs',
    'price upper',
    'instuction text',
    'category',
    'product category',
    'query',
  ]
  return [
    ...[
      ...thanks,
      'Purchased',
      ...bought,
      'product category',
      'None',
      'Target',
      ...wanted,
      'Goal',
      'None',
      'Reward',
    ],
    ...['Your score (min 0.0, max 1.0)', dollars(reward), 'Reward Details', 'None'],
  ]
}

function quoted(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

function join(texts: readonly string[]): string {
  return texts.map((text) => text.trim()).join(' [SEP] ')
}
