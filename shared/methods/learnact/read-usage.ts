/**
 * A worked example: everything from the first `Action:` on, without marks around it. Null where no action stands.
 *
 * @example
 * readUsage('Sure!\nAction: carry("ball1")\nObservation: Done.') // 'Action: carry("ball1")\nObservation: Done.'
 */
export function readUsage(answer: string): string | null {
  const plain = answer.replace(/^[ \t]*```.*$/gm, '')
  const start = plain.search(/^[ \t]*Action:[ \t]*\S/m)
  return start < 0 ? null : plain.slice(start).trim()
}
