import type { TranscriptHit } from '../../core/contracts/transcript-search.ts'
import type { TextMatch } from './text-query.ts'

type Snippet = TranscriptHit['snippet']

const shown = 240
const before = 60
const slack = 20

/** The excerpt of a text that shows the most matches. @param matches in the order of the text */
export function cutSnippet(text: string, matches: readonly TextMatch[]): Snippet {
  const first = bestStart(matches)
  const start = wordStart(text, Math.max(0, first - before), first)
  const end = wordEnd(text, Math.min(text.length, start + shown))
  const parts: Snippet = []
  const add = (part: string, match: boolean) => {
    const last = parts.at(-1)
    if (part === '') return
    if (last === undefined || last.match || match) parts.push({ text: part, match })
    else last.text += part
  }
  let at = start
  add(start > 0 ? '… ' : '', false)
  for (const each of matches) {
    if (each.start < at || each.start >= end) continue
    add(text.slice(at, each.start), false)
    add(text.slice(each.start, Math.min(each.end, end)), true)
    at = Math.min(each.end, end)
  }
  add(text.slice(at, end), false)
  add(end < text.length ? ' …' : '', false)
  return parts
}

function bestStart(matches: readonly TextMatch[]): number {
  let best = { start: matches[0]?.start ?? 0, phrases: 0 }
  for (const [at, { start }] of matches.entries()) {
    const near = new Set<number>()
    for (let next = at; next < matches.length; next += 1) {
      const match = matches[next]
      if (match === undefined || match.end > start + shown - before) break
      near.add(match.phrase)
    }
    if (near.size > best.phrases) best = { start, phrases: near.size }
  }
  return best.start
}

function wordStart(text: string, wanted: number, latest: number): number {
  if (wanted === 0) return 0
  const gap = text.slice(wanted, Math.min(latest, wanted + slack)).search(/\s\S/)
  return gap === -1 ? wholeCharacter(text, wanted) : wanted + gap + 1
}

function wordEnd(text: string, wanted: number): number {
  if (wanted === text.length) return wanted
  const tail = text.slice(wanted - slack, wanted)
  const gap = tail.search(/\s\S*$/)
  return gap === -1 ? wholeCharacter(text, wanted) : wanted - slack + gap
}

function wholeCharacter(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return code >= 0xdc00 && code <= 0xdfff ? at + 1 : at
}
