import { describeTerm, type Passport } from '../../../core/contracts/passport.ts'
import type { Run } from '../../../core/contracts/run.ts'
import { differingTerms, digestTerms, passportOf } from '../../../core/engine/runs/passport-of.ts'

export function passportDigest(run: Run): string {
  return digestTerms(rankedTerms(run))
}

// The fields in which a run differs, for the note of its cell.
export function passportNote(run: Run, usual: Run): string {
  const differing = differingTerms([{ terms: rankedTerms(run) }, { terms: rankedTerms(usual) }])
  const fields = differing.map(
    ({ field, values: [own, other] }) =>
      `${field} is ${describeTerm(own)}, and ${describeTerm(other)} elsewhere`,
  )
  return `Has another passport: ${fields.join('; ')}.`
}

// The tasks of several runs may be one panel together, so a cell is compared by its played tasks.
function rankedTerms(run: Run): Passport['terms'] {
  const { tasks: _, ...terms } = passportOf(run).terms
  return terms
}
