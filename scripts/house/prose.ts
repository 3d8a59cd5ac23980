/** Figures of a body of prose: a share in percent, and counts per 1,000 words. */
export interface ProseFigures {
  texts: number
  words: number
  openings: number
  whatNouns: number
  wheres: number
  passives: number
}

export const proseLimits = { openings: 4, whatNouns: 1, wheres: 0.5, passives: 1 } as const
export const mostDocBlocks = 4000

const opening = /^(What|Whether|How|Who|Where|Why)\b/
const question = /\b(what|where)\b[^.!?]*\?/gi
const participle = String.raw`(?:\w+ed|\w+en|made|built|kept|held|sent|lost|read|run|put|set|cut|found|told|paid|left)`
const passive = new RegExp(
  String.raw`\b(?:that|which|who) (?:is|are|was|were|has been|have been|had been) (?:not |never |\w+ly )?${participle}\b`,
  'gi',
)

export function measureProse(texts: readonly string[]): ProseFigures {
  const words = texts.reduce((sum, text) => sum + text.split(/\s+/).filter(Boolean).length, 0)
  const statements = texts.map((text) => text.replaceAll(question, '')).join('\n')
  const per1000 = (pattern: RegExp) => (1000 * [...statements.matchAll(pattern)].length) / Math.max(1, words)
  return {
    texts: texts.length,
    words,
    openings: (100 * texts.filter((text) => opening.test(text)).length) / Math.max(1, texts.length),
    whatNouns: per1000(/\bwhat\b/gi),
    wheres: per1000(/\bwhere\b/gi),
    passives: per1000(passive),
  }
}

export function overLimits(figures: ProseFigures): string[] {
  return Object.entries(proseLimits).flatMap(([name, limit]) => {
    const figure = figures[name as keyof typeof proseLimits]
    return figure > limit ? [`${name} ${figure.toFixed(1)} (limit ${limit})`] : []
  })
}

export function docBlocks(source: string): string[] {
  return [...source.matchAll(/\/\*\*([\s\S]*?)\*\//g)].map(([, body = '']) =>
    body
      .replaceAll(/^\s*\*( |$)/gm, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  )
}

export function paragraphs(page: string): string[] {
  return page
    .replaceAll(/^(```|~~~)[\s\S]*?^\1.*$/gm, '\n')
    .replaceAll(/`[^`\n]*`/g, 'X')
    .replaceAll(/\]\([^)]*\)/g, ']')
    .split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )|\n(?=\|)|\|/)
    .map((text) =>
      text
        .replaceAll(/^[\s>#*-]+/g, '')
        .replaceAll(/\s+/g, ' ')
        .trim(),
    )
    .filter((text) => /[a-z]{2}/.test(text))
}

export function apiTexts(document: unknown): string[] {
  if (Array.isArray(document)) return document.flatMap(apiTexts)
  if (typeof document !== 'object' || document === null) return []
  return Object.entries(document).flatMap(([name, value]) =>
    typeof value === 'string' && (name === 'summary' || name === 'description') ? [value] : apiTexts(value),
  )
}
