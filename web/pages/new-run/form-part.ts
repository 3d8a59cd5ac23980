import type { FieldErrors } from '../../components/form/field-errors.ts'
import type { RunDraft } from './run-draft.ts'

/** What every part of the form is given. */
export interface FormPart {
  draft: RunDraft
  onChange: (draft: RunDraft) => void
  errors: FieldErrors
}
