import { useEffect } from 'react'
import type { EndpointInfo } from '../../../shared/core/contracts/catalogue.ts'
import type { DatasetFormatInfo, DatasetKindInfo } from '../../../shared/core/contracts/dataset.ts'
import type { DatasetPreview } from '../../../shared/core/contracts/dataset-preview.ts'
import type { JsonObject } from '../../../shared/core/contracts/json.ts'
import formStyles from '../../components/form/form.module.css'
import { FormColumns, SendButton } from '../../components/form/form-columns.tsx'
import { mixSchema, otherSchema } from '../../components/form/form-schemas.ts'
import { NameField } from '../../components/form/name-field.tsx'
import { OptionList } from '../../components/form/option-list.tsx'
import { Refusal } from '../../components/form/refusal.tsx'
import { RequestText } from '../../components/form/request-text.tsx'
import { type FormPart, useRequestForm } from '../../components/form/use-request-form.ts'
import { InlineCode } from '../../components/inline-code.tsx'
import { SchemaFields } from '../../components/schema-fields/schema-fields.tsx'
import { Section } from '../../components/section.tsx'
import { datasetAddress } from '../../format/addresses.ts'
import { withField } from '../../format/with-field.ts'
import { api } from '../../service/api.ts'
import { useAddress } from '../../service/use-address.ts'
import { useDebounced } from '../../service/use-debounced.ts'
import { AskingSection } from './asking-section.tsx'
import { asksOf, describeCost } from './asks-of.ts'
import { datasetCommand } from './dataset-command.ts'
import { type DatasetDraft, hasSources, misfit, whyIncomplete, withDraft, withKind } from './dataset-draft.ts'
import { GatesSection, useScoreText } from './gates-section.tsx'
import styles from './new-dataset-page.module.css'
import { PreviewPanel } from './preview-panel.tsx'
import { SourcesSection } from './sources-section.tsx'
import { SplitsSection } from './splits-section.tsx'
import { usePreview } from './use-preview.ts'

interface Offers {
  kinds: readonly DatasetKindInfo[]
  formats: readonly DatasetFormatInfo[]
  endpoints: readonly EndpointInfo[]
}

const containers: Record<DatasetFormatInfo['container'], string> = {
  jsonl: 'A row a line.',
  json: 'One list.',
  parquet: 'Columns.',
}

export function DatasetForm({ start, offers }: { start: DatasetDraft; offers: Offers }) {
  const scores = useScoreText(start.scores)
  const whyNot = (draft: DatasetDraft) => whyIncomplete(draft, scores.bounds !== null)
  const form = useRequestForm({
    start,
    toRequest: (draft) => draft,
    isComplete: (draft) => whyNot(draft) === null,
    create: (draft, key) => api.createDataset(draft, key),
    addressOf: datasetAddress,
  })
  const { draft } = form
  const preview = usePreview(draft)
  const asks = asksOf(preview)
  useDraftInAddress(draft, !form.isSent)
  const { part, refusal } = form.partWith(preview.error)
  const kind = offers.kinds.find(({ id }) => id === (draft.kind ?? 'sft'))
  return (
    <FormColumns
      isEven
      onSubmit={form.submit}
      beside={
        <>
          <BuildBar
            form={form}
            refusal={refusal}
            whyNot={whyNot(draft)}
            asks={asks}
            mayAsk={kind?.asks_model === true}
          />
          <PreviewPanel preview={preview} isComplete={hasSources(draft)} />
        </>
      }
      below={
        <RequestText
          path="/v1/datasets"
          body={draft as JsonObject}
          command={datasetCommand(draft, location.origin)}
        />
      }
    >
      <SourcesSection {...part} kind={kind} />
      <KindSection {...part} kinds={offers.kinds} />
      <FormatSection {...part} formats={offers.formats} kind={kind} />
      {kind?.asks_model && <AskingSection {...part} endpoints={offers.endpoints} asks={asks} />}
      <SplitsSection {...part} />
      <GatesSection {...part} scores={scores} />
      <OtherSection {...part} />
    </FormColumns>
  )
}

function useDraftInAddress(draft: DatasetDraft, isWanted: boolean): void {
  const [address, setAddress] = useAddress()
  const settled = useDebounced(draft, 300)
  const isBehind = isWanted && withDraft(address, settled).toString() !== address.toString()
  useEffect(() => {
    if (isBehind) setAddress((now) => withDraft(now, settled))
  })
}

function KindSection({
  draft,
  onChange,
  errors,
  kinds,
}: FormPart<DatasetDraft> & { kinds: readonly DatasetKindInfo[] }) {
  const chosen = draft.kind ?? 'sft'
  const kind = kinds.find(({ id }) => id === chosen)
  const options = kinds.map(({ asks_model, description, id }) => ({
    id,
    text: asks_model ? `${description} May ask a model.` : description,
    misfit: null,
  }))
  const choose = (id: string) => {
    const next = kinds.find((each) => each.id === id)
    if (next !== undefined) onChange(withKind(draft, next))
  }
  return (
    <Section title="What a row teaches">
      <div className={formStyles.stack}>
        <OptionList legend="Kind" options={options} chosen={chosen} onChoose={choose} />
        {kind && errors('').kind && <p className={formStyles.error}>{errors('').kind}</p>}
        {kind === undefined ? (
          <p className={formStyles.error}>There is no kind “{chosen}”. Choose one of these.</p>
        ) : (
          <>
            <p className="soft">
              <InlineCode text={`Source: ${kind.source}`} />
            </p>
            <SchemaFields
              schema={kind.parameters}
              value={(draft.parameters ?? {}) as JsonObject}
              onChange={(parameters) => onChange(withField(draft, 'parameters', parameters))}
              errors={errors('parameters')}
            />
          </>
        )}
      </div>
    </Section>
  )
}

function FormatSection({
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
      {error && <p className={formStyles.error}>{error}</p>}
    </Section>
  )
}

function OtherSection({ draft, onChange, errors }: FormPart<DatasetDraft>) {
  const { pictures, rows_per_file, seed, ...rest } = draft
  const value: JsonObject = {
    ...(pictures !== undefined && { pictures }),
    ...(seed !== undefined && { seed }),
    ...(rows_per_file !== undefined && { rows_per_file }),
  }
  return (
    <Section title="Name and files">
      <div className={formStyles.stack}>
        <NameField
          value={draft.name}
          error={errors('').name}
          onChange={(name) => onChange(withField(draft, 'name', name))}
        />
        <SchemaFields
          schema={otherSchema}
          value={value}
          onChange={(next) => onChange({ ...rest, ...next } as DatasetDraft)}
          errors={errors('')}
        />
        <details open={draft.mix !== undefined}>
          <summary>General conversations mixed in</summary>
          <SchemaFields
            schema={mixSchema}
            value={(draft.mix ?? {}) as JsonObject}
            onChange={(mix) => onChange(withField(draft, 'mix', mix as DatasetDraft['mix']))}
            errors={errors('mix')}
          />
        </details>
      </div>
    </Section>
  )
}

function BuildBar({
  form,
  refusal,
  whyNot,
  asks,
  mayAsk,
}: {
  form: { isComplete: boolean; isSent: boolean }
  refusal: Error | null
  whyNot: string | null
  asks: DatasetPreview['asks'] | undefined
  mayAsk: boolean
}) {
  return (
    <div className={styles.buildBar}>
      <div className={styles.buildSend}>
        <SendButton form={form} text="Build the dataset" />
        <p className={styles.buildNote}>{whyNot ?? describeCost(asks, mayAsk)}</p>
      </div>
      {refusal !== null && <Refusal error={refusal} />}
    </div>
  )
}
