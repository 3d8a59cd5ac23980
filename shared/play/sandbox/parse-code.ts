import { type Comment, type Program, parse } from 'acorn'
import { isTooDeep } from './is-too-deep.ts'

export type ParsedCode =
  | { type: 'parsed'; tree: Program; comments: Comment[] }
  | { type: 'failed'; message: string; line: number | null }

const tooDeep: ParsedCode = { type: 'failed', message: 'The code is nested too deeply.', line: null }

export function parseCode(code: string): ParsedCode {
  if (isTooDeep(code)) return tooDeep
  const comments: Comment[] = []
  try {
    const tree = parse(code, {
      ecmaVersion: 2025,
      sourceType: 'script',
      allowAwaitOutsideFunction: true,
      allowHashBang: false,
      locations: true,
      onComment: comments,
    })
    return { type: 'parsed', tree, comments }
  } catch (error) {
    if (!isSyntaxError(error)) throw error
    if (error.message.startsWith('Not enough stack space')) return tooDeep
    return { type: 'failed', message: error.message, line: error.loc.line }
  }
}

function isSyntaxError(error: unknown): error is SyntaxError & { loc: { line: number } } {
  return error instanceof SyntaxError && 'loc' in error
}
