import type { FieldErrors } from '../../components/form/field-errors.ts'
import type { RunDraft } from './run-draft.ts'

export interface FormPart {
  draft: RunDraft
  onChange: (draft: RunDraft) => void
  errors: FieldErrors
}
