export function quoteForShell(word: string): string {
  // A shell expands a tilde at the start of a word, and after `=` or `:`.
  if (/^[\w@%+=:,./-]+$/.test(word)) return word
  return `'${word.replaceAll("'", String.raw`'\''`)}'`
}
