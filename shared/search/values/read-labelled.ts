/**
 * What an answer says after a label, such as `Opinion:`; the last such label counts, in any case and with markdown around it.
 * Null where it is missing or nothing follows.
 *
 * @example
 * readLabelled('Sure.\n**Note:** Look before you take.', 'Note') // 'Look before you take.'
 */
export function readLabelled(answer: string, label: string): string | null {
  // Line by line: blanks that could be line ends too would be gone through again from each of them.
  const parts = answer.split(new RegExp(`^[ \\t*_#>-]*${label}[ \\t*_]*:[\\s*_]*`, 'im'))
  const text = parts.length > 1 ? (parts.at(-1) as string).trim() : ''
  return text === '' ? null : text
}

export const readOpinion = (answer: string): string | null => readLabelled(answer, 'Opinion')

export const readChecks = (answer: string): string | null => readLabelled(answer, 'Checks')
