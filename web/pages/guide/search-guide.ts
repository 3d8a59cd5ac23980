import type { GuidePassage } from './guide-types.ts'

interface GuideFinding {
  passage: GuidePassage
  excerpt: { before: string; found: string; after: string }
}

export const mostFindings = 30
const around = 70

export function searchGuide(passages: readonly GuidePassage[], query: string): GuideFinding[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  return passages
    .map((passage, index) => ({ passage, index, weight: weigh(passage, words) }))
    .filter(({ weight }) => weight > 0)
    .toSorted((left, right) => right.weight - left.weight || left.index - right.index)
    .slice(0, mostFindings)
    .map(({ passage }) => ({ passage, excerpt: excerptOf(passage.text, words) }))
}

function weigh({ heading, title, text }: GuidePassage, words: string[]): number {
  const [inHeading, inTitle, inText] = [heading?.text ?? title, title, text].map((each) => each.toLowerCase())
  let weight = 0
  for (const word of words) {
    if (inHeading?.includes(word)) weight += 10
    else if (inText?.includes(word)) weight += 1
    else return 0
    if (inTitle?.includes(word)) weight += 3
  }
  return weight
}

function excerptOf(text: string, words: string[]): GuideFinding['excerpt'] {
  const lower = text.toLowerCase()
  const first = words
    .map((word) => ({ word, at: lower.indexOf(word) }))
    .filter(({ at }) => at >= 0)
    .toSorted((left, right) => left.at - right.at)[0]
  if (first === undefined) return { before: shorten(text.slice(0, 2 * around), text), found: '', after: '' }
  const { word, at } = first
  const start = Math.max(0, at - around)
  const end = Math.min(text.length, at + word.length + around)
  return {
    before: `${start > 0 ? '…' : ''}${text.slice(start, at)}`,
    found: text.slice(at, at + word.length),
    after: `${text.slice(at + word.length, end)}${end < text.length ? '…' : ''}`,
  }
}

function shorten(part: string, whole: string): string {
  return part.length < whole.length ? `${part}…` : part
}
