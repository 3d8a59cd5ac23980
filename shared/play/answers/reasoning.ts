/** Replaces each character of reasoning, so that the next text starts on a new line. */
const cover = '\n'

/**
 * Marks around reasoning, opening or closing by the groups `close` of each row. A mark of one row may close
 * another's: models mix them up.
 */
const marks = [
  // DeepSeek, Qwen, GLM and most others; ByteDance Seed; EXAONE; Claude's prompts.
  '<\\s{0,4}(?<tag>/?)\\s{0,4}(?:seed:think|antml:thinking|antthinking|think|thinking|thoughts?|reason|reasoning|scratchpad)(?:\\s[^<>]{0,200}?)?(?<alone>/?)>',
  // Mistral's Magistral.
  '\\[(?<bracket>/?)THINK\\]',
  // Moonshot's Kimi.
  '◁(?<arrow>/?)think▷',
  // Cohere's Command A; Apertus; Sky-T1.
  '<\\|(?:START_THINKING|(?<end>END_THINKING))\\|>',
  '<\\|inner_(?:prefix|(?<suffix>suffix))\\|>',
  '<\\|(?:begin_of_thought|(?<over>end_of_thought))\\|>',
] as const

const mark = new RegExp(marks.join('|'), 'gi')

const mentions = new Set(['""', "''", '``', '[]', '()', '“”', '‘’'])

const channel = /<\|channel\|>\s*(\w+)(?!\w)([^<]*)(?:<\|constrain\|>[^<]*)?<\|message\|>/g
const endOfChannel = /<\|(?:end|return|call|start|channel)\|>/g

/** Harmony whose control tokens a server dropped. */
const bareHarmony = /^\s*analysis[\s\S]*assistantfinal/

/** Wraps an answer after reasoning (Hunyuan, Command A); the second row also ends turns that were not cut. */
const opened = /^\s*(?:<(?:answer|output|response)>|<\|START_(?:RESPONSE|ACTION|TEXT)\|>)/i
const closed = /(?:<\/(?:answer|output|response|s)>|<\|\w{1,40}\|>|<｜[^｜<>]{1,40}｜>)\s*$/i

/** Covers the reasoning of a text with line ends, so that all positions stay the same. */
export function coverReasoning(text: string): string {
  if (!/[<[◁]|^\s*analysis/.test(text)) return text
  return [channelSpans, markSpans, wrapperSpans].reduce(
    (covered, findSpans) => coverSpans(covered, findSpans(covered)),
    text,
  )
}

function coverSpans(text: string, spans: readonly Span[]): string {
  const parts: string[] = []
  let from = 0
  for (const [start, end] of spans) {
    parts.push(text.slice(from, start), cover.repeat(end - start))
    from = end
  }
  return parts.length === 0 ? text : parts.join('') + text.slice(from)
}

/** Removes the reasoning of a text. Empty if a model never stopped reasoning. */
export function withoutReasoning(text: string): string {
  const covered = coverReasoning(text)
  if (covered === text) return text
  let kept = ''
  for (let at = 0; at < text.length; at += 1) if (covered[at] === text[at]) kept += text[at]
  return kept
}

type Span = readonly [start: number, end: number]

function channelSpans(text: string): Span[] {
  const bare = bareHarmony.exec(text)
  if (bare !== null) return [[0, bare[0].length]]
  if (!text.includes('<|channel|>')) return []
  const spans: Span[] = []
  let from = 0
  for (const found of text.matchAll(channel)) {
    const [header, name = '', to = ''] = found
    const start = found.index + header.length
    endOfChannel.lastIndex = start
    const end = endOfChannel.exec(text)?.index ?? text.length
    const isCall = name === 'commentary' && to.includes('to=')
    if (name !== 'final' && !isCall) continue
    spans.push([from, isCall ? found.index : start])
    from = end
  }
  return [...spans, [from, text.length]]
}

interface FoundMark {
  start: number
  end: number
  closes: boolean
}

/**
 * From each opening mark to its closing one, nested ones included. A closing mark alone ends reasoning that the
 * prompt opened; an opening mark alone at the start of a line opens reasoning that never ended.
 */
function markSpans(text: string): Span[] {
  const found = findMarks(text)
  const spans: Span[] = []
  let open: { start: number; depth: number; lastClose: number } | null = null
  const lastClosing = found.findLastIndex(({ closes }) => closes)
  for (const [at, { start, end, closes }] of found.entries()) {
    if (!closes) {
      if (open !== null) open.depth += 1
      else if (at < lastClosing || startsLine(text, start)) open = { start, depth: 1, lastClose: -1 }
    } else if (open === null) {
      spans.splice(0, spans.length, [0, end])
    } else {
      open.depth -= 1
      open.lastClose = end
      if (open.depth > 0) continue
      spans.push([open.start, end])
      open = null
    }
  }
  if (open === null) return spans
  if (open.lastClose < 0) return [...spans, [open.start, text.length]]
  // A mark inside was a mention or stayed open: the last closing mark ends it, unless another opens below it.
  const { start, lastClose } = open
  const again = found.find((later) => later.start >= lastClose && startsLine(text, later.start))
  return [...spans, [start, lastClose], ...(again === undefined ? [] : [[again.start, text.length] as const])]
}

function findMarks(text: string): FoundMark[] {
  const found: FoundMark[] = []
  for (const { 0: written, groups = {}, index: start } of text.matchAll(mark)) {
    const end = start + written.length
    const { alone, ...closing } = groups
    if (alone || mentions.has(text.slice(start - 1, start) + text.charAt(end))) continue
    found.push({ start, end, closes: Object.values(closing).some(Boolean) })
  }
  return found
}

function startsLine(text: string, at: number): boolean {
  let before = at - 1
  while (before >= 0 && /[^\S\n]/.test(text.charAt(before))) before -= 1
  return before < 0 || text.charAt(before) === '\n'
}

function wrapperSpans(text: string): Span[] {
  const ends: Span[] = []
  const start = opened.exec(text)
  let end = text.trimEnd().length
  for (;;) {
    const last = closed.exec(text.slice(Math.max(0, end - 60), end))
    if (last === null) break
    const from = end - last[0].length
    if (/^<\/[a-z]{2,}/i.test(last[0]) && start === null) break
    ends.unshift([from, end])
    end = text.slice(0, from).trimEnd().length
  }
  return [...(start === null ? [] : [[0, start[0].length] as const]), ...ends]
}
