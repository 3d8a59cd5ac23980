/** Characters (UTF-16) of one answer that are kept. */
const longest = 100_000

/**
 * A model's text as it can be stored and shown anywhere: without NUL, with U+FFFD for every lone surrogate, and of at most
 * 100,000 characters.
 */
export function tidyText(text: string): { text: string; cut: boolean } {
  const whole = text.replaceAll('\0', '').toWellFormed()
  if (whole.length <= longest) return { text: whole, cut: false }
  const kept = whole.slice(0, longest)
  return { text: kept.isWellFormed() ? kept : kept.slice(0, -1), cut: true }
}
