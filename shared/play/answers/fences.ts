import { trimBlanks } from './dress.ts'

export interface CodeBlock {
  mark: string
  text: string
}

const fence = /^(`{3,}|~{3,})(.*)$/
const nesting = /^(?:[-+*•]\s|>|\s)*/

export function openFence(line: string): { fence: string; mark: string } | null {
  const [, opened, mark = ''] = fence.exec(trimBlanks(line).replace(nesting, '')) ?? []
  return opened === undefined ? null : { fence: opened, mark: mark.trim() }
}

export function closesFence(line: string, opened: string): boolean {
  const bare = line.trim()
  return bare.length >= opened.length && bare === opened.charAt(0).repeat(bare.length)
}

/**
 * The blocks of an answer, in one pass line by line. An unclosed block ends with the answer, or with a fence at the
 * end of its last line.
 */
export function readBlocks(answer: string): CodeBlock[] {
  const blocks: CodeBlock[] = []
  let open: { fence: string; mark: string; lines: string[]; isQuoted: boolean } | null = null
  for (const written of answer.split('\n')) {
    if (open !== null) {
      const line = open.isQuoted ? written.replace(/^\s*> ?/, '') : written
      if (closesFence(line, open.fence)) {
        blocks.push({ mark: open.mark, text: open.lines.join('\n') })
        open = null
      } else open.lines.push(line)
      continue
    }
    const opened = openFence(written)
    if (opened === null) continue
    const { fence: ticks, mark } = opened
    if (mark.length > ticks.length && mark.endsWith(ticks))
      blocks.push(inlineBlock(mark.slice(0, -ticks.length)))
    else open = { ...opened, lines: [], isQuoted: /^\s*>/.test(written) }
  }
  if (open !== null) {
    const text = open.lines.join('\n').trimEnd()
    blocks.push({
      mark: open.mark,
      text: text.endsWith(open.fence) ? text.slice(0, -open.fence.length) : text,
    })
  }
  return blocks
}

export function endOfOpenBlock(text: string, place: number): number | null {
  let open: string | null = null
  let at = 0
  for (const line of text.split('\n')) {
    if (open === null) {
      if (at > place) return null
      open = openFence(line)?.fence ?? null
    } else if (closesFence(line, open)) {
      if (at > place) return at
      open = null
    }
    at += line.length + 1
  }
  return null
}

function inlineBlock(content: string): CodeBlock {
  const [, mark = '', text = content] = /^([a-z]+)\s+(.*)$/i.exec(content) ?? []
  return { mark, text }
}

export function unfence(text: string): string {
  const lines = text.trim().split('\n')
  const opened = openFence(lines[0] ?? '')
  const closing = lines.findIndex((line, at) => at > 0 && opened !== null && closesFence(line, opened.fence))
  return closing < 0 || closing < lines.length - 1 ? text : lines.slice(1, -1).join('\n')
}

const cover = '\0'

/**
 * Covers the blocks between triple back-ticks, back-ticks included, so that searches skip them. All positions stay
 * the same. An unclosed block extends to the end.
 */
export function coverBlocks(text: string): string {
  return text.replace(/```[\s\S]*?(?:```|$)/g, (block) => cover.repeat(block.length))
}

export function startOfBlocks(covered: string): number {
  return covered.indexOf(cover)
}

export function endOfBlocks(covered: string, place: number): number | null {
  return covered.charAt(place) === cover ? covered.lastIndexOf(cover) + 1 : null
}
