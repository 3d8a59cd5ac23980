export interface FencedBlocks {
  readonly blocks: readonly string[]
  readonly isOpen: boolean
}

const fence = '```'
const word = /^[ \t]*(\w+)[ \t]*(?=\n)/
const language = /^[ \t]*(?:python3?|py|json)(?=\s)/i
const actionWord = /^(?:WAIT|DONE|FAIL)$/

/**
 * The blocks between triple back-ticks of a text. A language is a word alone on the line of the opening back-ticks,
 * or a language's name before the code. (OSWorld takes any first word for one, `import` too.)
 */
export function readFencedBlocks(text: string): FencedBlocks {
  const parts = text.split(fence)
  const inside = parts.filter((_, place) => place % 2 === 1)
  const isOpen = parts.length % 2 === 0
  return { blocks: (isOpen ? inside.slice(0, -1) : inside).map(withoutLanguage), isOpen }
}

function withoutLanguage(block: string): string {
  const alone = word.exec(block)
  if (alone !== null && !actionWord.test(alone[1] ?? '')) return block.slice(alone[0].length)
  return block.replace(language, '')
}
