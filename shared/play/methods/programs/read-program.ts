import type { ProgramLanguage } from '../../../core/contracts/program-language.ts'
import { readBlocks } from '../../answers/fences.ts'
import { withoutReasoning } from '../../answers/reasoning.ts'

/**
 * Reads the code in an answer, outside its reasoning: joins its ``` blocks and skips those of another language. Null
 * without a block. An unclosed block ends with the answer.
 *
 * @example
 * readProgram('Here it is.\n```js\nact("look")\n```') // 'act("look")'
 */
export function readProgram(answer: string, language: ProgramLanguage = 'javascript'): string | null {
  const code = readBlocks(withoutReasoning(answer))
    .filter(({ mark }) => marks[language].has(/^[\w-]*/.exec(mark)?.[0].toLowerCase() ?? ''))
    .map(({ text }) => (language === 'python' ? unindent(text) : text).trim())
    .filter((text) => text !== '')
    .join('\n\n')
  return code === '' ? null : code
}

const marks: Readonly<Record<ProgramLanguage, ReadonlySet<string>>> = {
  javascript: new Set(['', 'js', 'javascript', 'mjs', 'cjs', 'jsx', 'es6', 'ts', 'typescript', 'node']),
  python: new Set(['', 'py', 'python', 'python3', 'py3']),
}

function unindent(code: string): string {
  const lines = code.split('\n')
  const indents = lines
    .filter((line) => line.trim() !== '')
    .map((line) => /^[ \t]*/.exec(line)?.[0].length ?? 0)
  const shared = Math.min(...indents)
  return Number.isFinite(shared) ? lines.map((line) => line.slice(shared)).join('\n') : code
}
