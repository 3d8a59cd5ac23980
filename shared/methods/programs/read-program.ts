import { readBlocks } from '../../answers/fences.ts'
import { withoutReasoning } from '../../answers/reasoning.ts'

/**
 * The code in an answer outside its reasoning: its blocks between ``` marks, one below the other; those marked as another
 * language are passed over. Null without one. A block that is never closed ends with the answer.
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
