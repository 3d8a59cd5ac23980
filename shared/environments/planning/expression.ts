import { EspalierError } from '../../core/contracts/errors.ts'

export type Expression = Word | ListExpression

export interface Word {
  readonly word: string
  readonly offset: number
}

export interface ListExpression {
  readonly items: readonly Expression[]
  readonly offset: number
}

export interface PddlSource {
  readonly text: string
  readonly name: string
}

/** `?` starts a new token even with no space before it, as in `?a - level?b`. */
const token = /;[^\n]*|[()]|\?[^\s();?]*|[^\s();?]+/g

/** Far deeper than any planner's files. The limit keeps later readers, which are recursive, within the stack. */
const deepest = 256

/**
 * Reads the single list of a PDDL file, in lower case, because PDDL has no case.
 * @throws EspalierError `invalid_request`, with the line and the expected syntax
 */
export function readExpression(source: PddlSource): ListExpression {
  const text = source.text.toLowerCase()
  const open: { items: Expression[]; offset: number }[] = []
  let whole: ListExpression | null = null
  for (const { 0: word, index } of text.matchAll(token)) {
    if (word.startsWith(';')) continue
    if (whole !== null) throw failure(source, index, 'nothing more after the last ")"')
    const parent = open.at(-1)
    if (word === '(') {
      if (open.length >= deepest)
        throw failure(source, index, `lists within lists to a depth of ${deepest} at most`)
      const list = { items: [], offset: index }
      parent?.items.push(list)
      open.push(list)
    } else if (parent === undefined) throw failure(source, index, '"("')
    else if (word !== ')') parent.items.push({ word, offset: index })
    else {
      open.pop()
      if (open.length === 0) whole = parent
    }
  }
  if (whole === null) {
    const last = open.at(-1)
    if (last === undefined) throw failure(source, 0, '"(define …)"')
    throw failure(source, text.length, `")" for the "(" of line ${lineOf(source, last.offset)}`)
  }
  return whole
}

export function failure(source: PddlSource, offset: number, expected: string): EspalierError {
  return new EspalierError(
    'invalid_request',
    `${source.name}, line ${lineOf(source, offset)}: expected ${expected}.`,
  )
}

export function isWord(expression: Expression | undefined): expression is Word {
  return expression !== undefined && 'word' in expression
}

export function wordOf(
  source: PddlSource,
  expression: Expression | undefined,
  list: ListExpression,
  expected: string,
): string {
  if (isWord(expression)) return expression.word
  throw failure(source, expression?.offset ?? list.offset, expected)
}

export function listOf(
  source: PddlSource,
  expression: Expression | undefined,
  parent: ListExpression,
  expected: string,
): ListExpression {
  if (expression !== undefined && 'items' in expression) return expression
  throw failure(source, expression?.offset ?? parent.offset, expected)
}

function lineOf({ text }: PddlSource, offset: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) line += 1
  return line
}
