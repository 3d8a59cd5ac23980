import { readLabelled } from '../../search/read-answers.ts'
import { readProgram } from '../programs/read-program.ts'

/** What is to be changed after a call that failed. */
export type Revision = { reason: string | null } & (
  | { decision: 'update'; answer: string }
  | { decision: 'note'; name: string; note: string }
)

/**
 * Reads the answer to what is to be changed: code for one function or several, or a note on calling one of those that there
 * are. Null for anything else; the last decision counts.
 *
 * @param names - of the functions that there are
 * @example
 * readRevision('Reason: The arm was full.\nDecision: note carry\nNote: Use the free arm.', ['carry'])
 * // { reason: 'The arm was full.', decision: 'note', name: 'carry', note: 'Use the free arm.' }
 */
export function readRevision(answer: string, names: readonly string[]): Revision | null {
  const decisions = [...answer.matchAll(decisionLine)]
  const [line, decision = '', name = ''] = decisions.at(-1) ?? []
  if (line === undefined) return null
  const start = answer.lastIndexOf(line)
  const rest = answer.slice(start + line.length)
  const reason = readLabelled(answer.slice(0, start), 'Reason')?.replace(/\s+/g, ' ') ?? null
  if (decision.toLowerCase() === 'update') {
    return readProgram(rest) === null ? null : { reason, decision: 'update', answer }
  }
  const note = readLabelled(rest, 'Note')?.replace(/\s+/g, ' ')
  return note === undefined || !names.includes(name) ? null : { reason, decision: 'note', name, note }
}

const decisionLine = /^[ \t*_#>-]*Decision[ \t*_]*:[\s*_]*(update|note)\b[ \t`"'*_]*([\w$]*).*$/gim
