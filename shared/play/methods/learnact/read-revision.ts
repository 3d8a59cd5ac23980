import { unfence } from '../../answers/fences.ts'
import { readLabelled, readLabelledLines } from '../../answers/read-labelled.ts'
import { withoutReasoning } from '../../answers/reasoning.ts'
import { readProgram } from '../programs/read-program.ts'

export type Revision = { reason: string | null } & (
  | { decision: 'update'; answer: string }
  | { decision: 'note'; name: string; note: string }
)

/**
 * Reads a revision from an answer: code for one function or several, or a note on calling an existing one. Null for
 * anything else; the last decision counts.
 *
 * @param names - names of the existing functions
 * @example
 * readRevision('Reason: The arm was full.\nDecision: note carry\nNote: Use the free arm.', ['carry'])
 * // { reason: 'The arm was full.', decision: 'note', name: 'carry', note: 'Use the free arm.' }
 */
export function readRevision(answer: string, names: readonly string[]): Revision | null {
  const said = unfence(withoutReasoning(answer))
  const last = readLabelledLines(said, 'Decision')
    .map((line) => ({ ...line, decided: decided.exec(line.value) }))
    .findLast((line) => line.decided !== null)
  if (last === undefined) return null
  const [, decision = '', name = ''] = last.decided ?? []
  const rest = said.slice(last.after)
  const reason = readLabelled(said.slice(0, last.start), 'Reason')?.replace(/\s+/g, ' ') ?? null
  if (decision.toLowerCase() === 'update') {
    return readProgram(rest) === null ? null : { reason, decision: 'update', answer }
  }
  const note = readLabelled(rest, 'Note')?.replace(/\s+/g, ' ')
  return note === undefined || !names.includes(name) ? null : { reason, decision: 'note', name, note }
}

const decided = /^[*_`]*(update|note)\b[ \t`"'*_]*([\w$]*)/i
