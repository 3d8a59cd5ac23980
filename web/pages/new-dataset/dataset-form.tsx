import { useEffect } from 'react'
import { formatCount } from '../../../shared/core/client/format-quantity.ts'
import type { EndpointInfo } from '../../../shared/core/contracts/catalogue.ts'
import type { DatasetFormatInfo, DatasetKindInfo } from '../../../shared/core/contracts/dataset.ts'
import type { DatasetPreview } from '../../../shared/core/contracts/dataset-preview.ts'
import type { JsonObject } from '../../../shared/core/contracts/json.ts'
import { FormColumns, SendButton } from '../../components/form/form-columns.tsx'
import { Refusal } from '../../components/form/refusal.tsx'
import { RequestText } from '../../components/form/request-text.tsx'
import { useRequestForm } from '../../components/form/use-request-form.ts'
import { datasetAddress } from '../../format/addresses.ts'
import { api } from '../../service/api.ts'
import { useAddress } from '../../service/use-address.ts'
import { useDebounced } from '../../service/use-debounced.ts'
import { AskingSection } from './asking-section.tsx'
import { datasetCommand } from './dataset-command.ts'
import { type DatasetDraft, hasSources, withDraft } from './dataset-draft.ts'
import { FormatSection } from './format-section.tsx'
import { GatesSection } from './gates-section.tsx'
import { KindSection } from './kind-section.tsx'
import styles from './new-dataset-page.module.css'
import { OtherSection } from './other-section.tsx'
import { PreviewPanel } from './preview-panel.tsx'
import { SourcesSection } from './sources-section.tsx'
import { SplitsSection } from './splits-section.tsx'
import { usePreview } from './use-preview.ts'

interface Offers {
  kinds: readonly DatasetKindInfo[]
  formats: readonly DatasetFormatInfo[]
  endpoints: readonly EndpointInfo[]
}

export function DatasetForm({ start, offers }: { start: DatasetDraft; offers: Offers }) {
  const form = useRequestForm({
    start,
    toRequest: (draft) => draft,
    isComplete: hasSources,
    create: (draft, key) => api.createDataset(draft, key),
    addressOf: datasetAddress,
  })
  const { draft, isComplete } = form
  const preview = usePreview(draft)
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
            asks={preview.error === null ? preview.data?.asks : undefined}
            mayAsk={kind?.asks_model === true}
          />
          <PreviewPanel preview={preview} isComplete={isComplete} />
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
      {kind?.asks_model && <AskingSection {...part} endpoints={offers.endpoints} asks={preview.data?.asks} />}
      <SplitsSection {...part} />
      <GatesSection {...part} />
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

function BuildBar({
  form,
  refusal,
  asks,
  mayAsk,
}: {
  form: { isComplete: boolean; isSent: boolean }
  refusal: Error | null
  asks: DatasetPreview['asks'] | undefined
  mayAsk: boolean
}) {
  return (
    <div className={styles.buildBar}>
      <div className={styles.buildSend}>
        <SendButton form={form} text="Build the dataset" />
        <p className={styles.buildNote}>
          {form.isComplete ? describeCost(asks, mayAsk) : 'Choose a run or an import first.'}
        </p>
      </div>
      {refusal !== null && <Refusal error={refusal} />}
    </div>
  )
}

function describeCost(asks: DatasetPreview['asks'] | undefined, mayAsk: boolean): string {
  if (!mayAsk || asks === null) return 'No model is asked: it costs nothing.'
  if (asks === undefined) return 'It may ask a model, which costs money.'
  const { endpoint, episodes, model } = asks
  return `Asks ${endpoint}/${model} about up to ${formatCount(episodes)} episodes, which may cost money.`
}
