import type { Comment, FunctionDeclaration } from 'acorn'
import { parseCode } from './parse-code.ts'

/** A function at the top of a piece of code. */
export interface CodeFunction {
  name: string
  /** As written, defaults and patterns included: what a signature shows. */
  parameters: string[]
  /** The exact source, with the comment that leads it. */
  code: string
  /** The text of that comment, without its marks. */
  comment: string | null
}

/** What a piece of code holds, or why it cannot be used. */
export type CodeReading =
  | { type: 'read'; functions: CodeFunction[]; rest: string }
  | { type: 'failed'; message: string; line: number | null }

/** The names by which a program speaks to the world. */
const taken = ['act', 'print']

/**
 * Reads the functions that stand at the top of a piece of code, in their order, and everything else there as `rest`. Plain
 * and `async` functions are read; generators, a name declared twice, and functions that would hide `act` or `print` are
 * refused with a message for their author.
 */
export function readFunctions(code: string): CodeReading {
  const parsed = parseCode(code)
  if (parsed.type === 'failed') return parsed
  const functions: CodeFunction[] = []
  const rest: string[] = []
  for (const statement of parsed.tree.body) {
    if (statement.type !== 'FunctionDeclaration') {
      rest.push(code.slice(statement.start, statement.end))
      continue
    }
    const { name } = statement.id
    const problem = problemOf(
      statement,
      functions.map((earlier) => earlier.name),
    )
    if (problem) {
      return {
        type: 'failed',
        message: `The function "${name}" ${problem}`,
        line: statement.loc?.start.line ?? null,
      }
    }
    functions.push(describe(code, statement, parsed.comments))
  }
  return { type: 'read', functions, rest: rest.join('\n') }
}

function problemOf(declared: FunctionDeclaration, earlier: string[]): string | null {
  const { name } = declared.id
  if (declared.generator) return 'is a generator; write a plain or an async function.'
  if (taken.includes(name)) return 'hides what programs act by; give it another name.'
  if (earlier.includes(name)) return 'is declared twice; give each function its own name.'
  return null
}

function describe(code: string, declared: FunctionDeclaration, comments: Comment[]): CodeFunction {
  const leading = leadingComments(code, declared.start, comments)
  const start = leading[0]?.start ?? declared.start
  const comment = leading.map(({ value }) => plainText(value)).join('\n')
  return {
    name: declared.id.name,
    parameters: declared.params.map((parameter) => code.slice(parameter.start, parameter.end)),
    code: code.slice(start, declared.end),
    comment: comment === '' ? null : comment,
  }
}

/** The comments that end where a function starts: one block, or lines one below the other, each at the start of its line. */
function leadingComments(code: string, start: number, comments: Comment[]): Comment[] {
  const leading: Comment[] = []
  let next = start
  for (let index = countBefore(comments, start) - 1; index >= 0; index -= 1) {
    const comment = comments[index] as Comment
    const before = code.slice(code.lastIndexOf('\n', comment.start - 1) + 1, comment.start)
    if (!isGap(code.slice(comment.end, next)) || !isGap(before)) break
    if (leading[0]?.type === 'Block' || (leading.length > 0 && comment.type === 'Block')) break
    leading.unshift(comment)
    next = comment.start
  }
  return leading
}

/** How many comments end before a place. They come in the order of the code, so halving the range finds it. */
function countBefore(comments: Comment[], place: number): number {
  let low = 0
  let high = comments.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((comments[middle] as Comment).end <= place) low = middle + 1
    else high = middle
  }
  return low
}

/** Whether a piece of code is blank and ends its line at most once. Two scans: blanks are never gone through again. */
function isGap(text: string): boolean {
  return !/[^ \t\r\n]/.test(text) && text.indexOf('\n') === text.lastIndexOf('\n')
}

/** Without the stars that begin the lines of a block. */
function plainText(comment: string): string {
  return comment
    .split('\n')
    .map((line) => line.replace(/^\s*\*?\s?/, '').trimEnd())
    .join('\n')
    .trim()
}
