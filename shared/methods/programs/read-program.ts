/**
 * The code in an answer: its blocks between ``` marks, one below the other; those marked as another language are passed over.
 * Null where there is none. A block that is never closed ends with the answer.
 *
 * @example
 * readProgram('Here it is.\n```js\nact("look")\n```') // 'act("look")'
 */
export function readProgram(answer: string): string | null {
  const code = readBlocks(answer)
    .filter(({ mark }) => languages.has(/^[\w-]*/.exec(mark)?.[0].toLowerCase() ?? ''))
    .map(({ text }) => text.trim())
    .filter((text) => text !== '')
    .join('\n\n')
  return code === '' ? null : code
}

const languages = new Set(['', 'js', 'javascript', 'mjs', 'ts', 'typescript', 'node'])

interface CodeBlock {
  /** What stands behind the opening ``` mark. */
  mark: string
  text: string
}

/** The blocks of an answer, line by line: one pass over the answer, whatever it contains. */
function readBlocks(answer: string): CodeBlock[] {
  const blocks: CodeBlock[] = []
  let open: { mark: string; lines: string[] } | null = null
  for (const line of answer.split('\n')) {
    const bare = line.trim()
    if (open !== null && bare === fence) {
      blocks.push({ mark: open.mark, text: open.lines.join('\n') })
      open = null
    } else if (open !== null) open.lines.push(line)
    else if (bare.startsWith(fence)) open = { mark: bare.slice(fence.length).trim(), lines: [] }
  }
  if (open !== null) blocks.push({ mark: open.mark, text: open.lines.join('\n') })
  return blocks
}

const fence = '```'
