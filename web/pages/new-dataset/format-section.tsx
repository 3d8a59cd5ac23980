import type { DatasetFormatInfo, DatasetKindInfo } from '../../../shared/core/contracts/dataset.ts'
import styles from '../../components/form/form.module.css'
import { OptionList } from '../../components/form/option-list.tsx'
import type { FormPart } from '../../components/form/use-request-form.ts'
import { Section } from '../../components/section.tsx'
import { withField } from '../../format/with-field.ts'
import { type DatasetDraft, misfit } from './dataset-draft.ts'

const containers: Record<DatasetFormatInfo['container'], string> = {
  jsonl: 'A row a line.',
  json: 'One list.',
  parquet: 'Columns.',
}

export function FormatSection({
  draft,
  onChange,
  errors,
  formats,
  kind,
}: FormPart<DatasetDraft> & { formats: readonly DatasetFormatInfo[]; kind: DatasetKindInfo | undefined }) {
  const options = formats.map((format) => ({
    id: format.id,
    text: [
      format.description,
      containers[format.container],
      kind !== undefined && format.pictures.includes(kind.id) ? 'Holds pictures.' : '',
    ].join(' '),
    misfit: kind === undefined ? null : misfit(kind, format),
  }))
  const error = errors('').format
  return (
    <Section title="Written for">
      <OptionList
        legend="Format"
        options={options}
        chosen={draft.format ?? 'openai'}
        onChoose={(id) => onChange(withField(draft, 'format', id))}
      />
      {error && <p className={styles.error}>{error}</p>}
    </Section>
  )
}
