/**
 * The code in an answer: its blocks between ``` marks, one below the other; those marked as another language are passed over.
 * Null where there is none. A block that is never closed goes on to the end.
 *
 * @example
 * readProgram('Here it is.\n```js\nact("look")\n```') // 'act("look")'
 */
export function readProgram(answer: string): string | null {
  const blocks = [...answer.matchAll(/^[ \t]*```([^\n]*)\n([\s\S]*?)(?:^[ \t]*```[ \t]*$|$(?![\s\S]))/gm)]
  const code = blocks
    .filter(([, mark = '']) => languages.has(/^[\w-]*/.exec(mark.trim())?.[0].toLowerCase() ?? ''))
    .map(([, , text = '']) => text.trim())
    .filter((text) => text !== '')
    .join('\n\n')
  return code === '' ? null : code
}

const languages = new Set(['', 'js', 'javascript', 'mjs', 'ts', 'typescript', 'node'])
