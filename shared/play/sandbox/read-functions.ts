import type { Comment, FunctionDeclaration } from 'acorn'
import { parseCode } from './parse-code.ts'

export interface CodeFunction {
  name: string
  parameters: string[]
  code: string
  comment: string | null
}

export type CodeReading =
  | { type: 'read'; functions: CodeFunction[]; rest: string }
  | { type: 'failed'; message: string; line: number | null }

const taken = ['act', 'print']

/**
 * Reads the top-level functions of a piece of code, in their order, and all other code as `rest`. Reads plain and
 * `async` functions. Refuses generators, a name declared twice, and functions that would hide `act` or `print`, with
 * a message for their author.
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

/**
 * The comments that end directly before a function: one block, or consecutive lines, each at the start of its line.
 */
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

/** Counts the comments that end before a position. They are in code order, so this is a binary search. */
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

/** Recognizes a blank piece of code with at most one line end. Two scans avoid rescanning blanks. */
function isGap(text: string): boolean {
  return !/[^ \t\r\n]/.test(text) && text.indexOf('\n') === text.lastIndexOf('\n')
}

function plainText(comment: string): string {
  return comment
    .split('\n')
    .map((line) => line.replace(/^\s*\*?\s?/, '').trimEnd())
    .join('\n')
    .trim()
}
