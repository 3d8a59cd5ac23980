/**
 * A word as a POSIX shell reads it back unchanged.
 *
 * @example
 * quoteForShell("it's $5") // `'it'\\''s $5'`
 */
export function quoteForShell(word: string): string {
  // A tilde would be replaced at the start of a word, or after `=` or `:`.
  if (/^[\w@%+=:,./-]+$/.test(word)) return word
  return `'${word.replaceAll("'", String.raw`'\''`)}'`
}
