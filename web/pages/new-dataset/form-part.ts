import type { FieldErrors } from '../../components/form/field-errors.ts'
import type { DatasetDraft } from './dataset-draft.ts'

/** Props of every section of the form. */
export interface FormPart {
  draft: DatasetDraft
  onChange: (draft: DatasetDraft) => void
  errors: FieldErrors
}
