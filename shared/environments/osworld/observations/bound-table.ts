import { loadOptional } from '../../../core/programs/load-optional.ts'

export const cutTableLine = '[...]'

/**
 * Returns a function that limits a table to a number of GPT-4's tokens (`cl100k_base`), as OSWorld does. The encoding
 * takes megabytes and loads on the first call.
 */
export async function openTableBound(): Promise<(table: string, tokens: number) => string> {
  const { encode, decode } = await loadOptional(
    ['gpt-tokenizer'],
    'Bounding an accessibility tree',
    () => import('gpt-tokenizer/encoding/cl100k_base'),
  )
  return (table, most) => {
    if (Buffer.byteLength(table) <= most) return table
    const tokens = encode(table, { disallowedSpecial: new Set<string>() })
    if (tokens.length <= most) return table
    return `${sharedStart(table, decode(tokens.slice(0, most)))}${cutTableLine}\n`
  }
}

function sharedStart(table: string, part: string): string {
  let end = 0
  while (end < part.length && part.charCodeAt(end) === table.charCodeAt(end)) end++
  const isSplit = /[\uD800-\uDBFF]/.test(table.charAt(end - 1))
  return table.slice(0, isSplit ? end - 1 : end)
}
