import { trimBlanks, undress } from './dress.ts'
import { closesFence, openFence, unfence } from './fences.ts'
import { findInlineCalls, readJsonAction, textOfActCall } from './inline-call.ts'
import { closeValue, findLabels, type Label } from './labels.ts'
import { coverReasoning } from './reasoning.ts'

/**
 * An answer prepared for reading actions. All positions refer to `text`. `said` has the reasoning covered by line ends;
 * `marks` also the inline calls and the tags of the action. `isMiscalled`: a call maps to no action text.
 */
export interface ReadableAnswer {
  text: string
  said: string
  marks: string
  actions: readonly ActionLabel[]
  called: string | null
  isMiscalled: boolean
}

export interface ActionLabel extends Label {
  stop?: number
}

const tags = /<action(?:\s[^<>]{0,100})?>([\s\S]*?)(?:<\/action\s{0,4}>|$)/gi
const closingTag = /<\/action\s{0,4}>/gi

// Several readers look at one answer in turn.
let last: ReadableAnswer | undefined

export function readMarks(text: string): ReadableAnswer {
  if (last?.text !== text) last = findMarks(text)
  return last
}

function findMarks(text: string): ReadableAnswer {
  const said = coverReasoning(text)
  const { covered, call, isFound } = findInlineCalls(said)
  const lines = covered.replaceAll('\r', '\n')
  const hasTags = lines.includes('<')
  const marks = hasTags ? lines.replace(closingTag, (tag) => '\n'.repeat(tag.length)) : lines
  const tagged = (hasTags ? [...lines.matchAll(tags)] : []).map(
    ({ 0: written, 1: value = '', index }): ActionLabel => {
      const end = index + written.indexOf('>') + 1
      return {
        start: index,
        word: index,
        end,
        stop: end + value.length,
        close: '',
        plain: false,
        leads: true,
      }
    },
  )
  const labels = findLabels(marks, 'Action')
  const actions = [...labels, ...tagged].sort((one, other) => one.start - other.start)
  const called = call === null ? readJsonAction(marks) : textOfActCall(call)
  return { text, said, marks, actions, called, isMiscalled: isFound && called === null }
}

export function namesAction(answer: string): boolean {
  const { actions, called } = readMarks(answer)
  return actions.length > 0 || called !== null
}

export function givesAction(answer: string): boolean {
  const { actions, called, marks } = readMarks(answer)
  return (
    called !== null || actions.some(({ end, close }) => trimBlanks(marks.slice(end)).length > close.length)
  )
}

export interface LineValue {
  value: string
  end: number
}

export function readLine(marks: string, { end: from, stop = marks.length, close }: ActionLabel): LineValue {
  const lines = linesOf(marks.slice(from, stop), from)
  const first = lines.findIndex(({ text }) => trimBlanks(text) !== '')
  const line = lines[first]
  if (line === undefined) return { value: '', end: from }
  const opened = openFence(trimBlanks(line.text))
  const isInline = opened?.mark.endsWith(opened.fence) === true
  if (opened === null || isInline) {
    const written = trimBlanks(line.text)
    const value = closeValue(first === 0 ? written : written.replace(bullet, ''), close)
    return { value: toAction(value), end: line.end }
  }
  const inside = lines.slice(first + 1)
  const last = inside.findIndex(({ text }) => closesFence(text, opened.fence))
  const content = (last < 0 ? inside : inside.slice(0, last)).find(({ text }) => trimBlanks(text) !== '')
  const end = inside[last]?.end ?? content?.end ?? line.end
  return { value: toAction(content?.text ?? (last < 0 ? '' : opened.mark)), end }
}

export function endOfTag(text: string, end: number): number {
  return end + (/^\s{0,8}<\/action\s{0,4}>/i.exec(text.slice(end, end + 32))?.[0].length ?? 0)
}

export function readLastLine(marks: string): string {
  const lines = linesOf(marks, 0)
    .map(({ text }) => trimBlanks(text))
    .filter((line) => line !== '')
  const last = lines.at(-1) ?? ''
  const isFence = openFence(last)?.mark === ''
  return toAction(isFence ? (lines.at(-2) ?? last) : last)
}

function linesOf(text: string, from: number): { text: string; end: number }[] {
  let at = from
  return text.split('\n').map((line) => {
    at += line.length + 1
    return { text: line, end: at - 1 }
  })
}

const bullet = /^[-+*•>]\s+/
/** `3.5` and `2.` are values. */
const listNumber = /^\d+\.(?:\s+(?=\S)|(?=\p{L}))/u
const loose = /^(?:\*{2,3}|_{2,3})\s+/

function toAction(line: string): string {
  const numbered = trimBlanks(line).replace(listNumber, '')
  const bare = undress(numbered.replace(loose, ''))
  return bare === numbered ? bare : bare.replace(listNumber, '')
}

export function isCalledAt({ said, marks }: ReadableAnswer, { end }: ActionLabel): boolean {
  const place = end + said.slice(end).search(/\S/)
  return place >= end && said[place] !== marks[place] && marks[place] === '\n'
}

export function readRest(read: ReadableAnswer, { end, stop, close }: ActionLabel): string {
  const bare = unfence(uncovered(read, end, stop)).trim()
  const [first = '', ...more] = bare.split('\n')
  if (more.length > 0) return [closeValue(first, close), ...more].join('\n')
  return undress(closeValue(trimBlanks(bare), close).replace(loose, ''))
}

export function uncovered({ text, marks }: ReadableAnswer, from: number, to = text.length): string {
  let rest = ''
  for (let at = from; at < to; at += 1) {
    const isCovered = marks[at] === '\n' && !/[\r\n]/.test(text.charAt(at))
    if (!isCovered) rest += text[at]
  }
  return rest
}
