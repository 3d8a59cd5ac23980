import type { FieldErrors } from '../../components/form/field-errors.ts'
import type { DatasetDraft } from './dataset-draft.ts'

export interface FormPart {
  draft: DatasetDraft
  onChange: (draft: DatasetDraft) => void
  errors: FieldErrors
}
