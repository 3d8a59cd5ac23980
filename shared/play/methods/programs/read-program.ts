import { readBlocks } from '../../answers/fences.ts'
import { withoutReasoning } from '../../answers/reasoning.ts'

/**
 * Reads the code in an answer, outside its reasoning: joins its ``` blocks and skips those of another language. Null
 * without a block. An unclosed block ends with the answer.
 *
 * @example
 * readProgram('Here it is.\n```js\nact("look")\n```') // 'act("look")'
 */
export function readProgram(answer: string): string | null {
  const code = readBlocks(withoutReasoning(answer))
    .filter(({ mark }) => languages.has(/^[\w-]*/.exec(mark)?.[0].toLowerCase() ?? ''))
    .map(({ text }) => text.trim())
    .filter((text) => text !== '')
    .join('\n\n')
  return code === '' ? null : code
}

const languages = new Set(['', 'js', 'javascript', 'mjs', 'cjs', 'jsx', 'es6', 'ts', 'typescript', 'node'])
