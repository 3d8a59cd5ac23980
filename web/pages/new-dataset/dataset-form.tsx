import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { formatCount } from '../../../shared/core/client/format-quantity.ts'
import type { EndpointInfo } from '../../../shared/core/contracts/catalogue.ts'
import type { DatasetFormatInfo, DatasetKindInfo } from '../../../shared/core/contracts/dataset.ts'
import type { DatasetPreview } from '../../../shared/core/contracts/dataset-preview.ts'
import type { JsonObject } from '../../../shared/core/contracts/json.ts'
import { Button } from '../../components/button.tsx'
import { fieldErrors } from '../../components/form/field-errors.ts'
import { FormColumns } from '../../components/form/form-columns.tsx'
import { Refusal } from '../../components/form/refusal.tsx'
import { RequestText } from '../../components/form/request-text.tsx'
import { datasetAddress } from '../../format/addresses.ts'
import { api } from '../../service/api.ts'
import { useAddress } from '../../service/use-address.ts'
import { useDebounced } from '../../service/use-debounced.ts'
import { useIdempotencyKey } from '../../service/use-idempotency-key.ts'
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
  const [draft, setDraft] = useState(start)
  const navigate = useNavigate()
  const isComplete = hasSources(draft)
  const preview = usePreview(draft)
  const key = useIdempotencyKey(draft)
  const building = useMutation({
    mutationFn: (sent: { draft: DatasetDraft; key: string }) => api.createDataset(sent.draft, sent.key),
    onSuccess: ({ id }) => navigate(datasetAddress(id)),
  })
  // Stay sent until the dataset's page opens, so that an edit in between does not start a second build.
  const isSent = building.isPending || building.isSuccess
  // Do not write the address after sending: it would block the navigation to the dataset's page.
  useDraftInAddress(draft, !isSent)
  const change = (next: DatasetDraft) => {
    setDraft(next)
    if (building.isError) building.reset()
  }

  const part = { draft, onChange: change, errors: fieldErrors(building.error ?? preview.error) }
  const kind = offers.kinds.find(({ id }) => id === (draft.kind ?? 'sft'))
  return (
    <FormColumns
      isEven
      onSubmit={() => !isSent && building.mutate({ draft, key })}
      beside={
        <>
          <BuildBar
            isSent={isSent}
            error={building.error}
            isComplete={isComplete}
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
  isSent,
  error,
  isComplete,
  asks,
  mayAsk,
}: {
  isSent: boolean
  error: Error | null
  isComplete: boolean
  asks: DatasetPreview['asks'] | undefined
  mayAsk: boolean
}) {
  return (
    <div className={styles.buildBar}>
      <div className={styles.buildSend}>
        <Button type="submit" kind="primary" disabled={!isComplete || isSent}>
          {isSent ? 'Sending …' : 'Build the dataset'}
        </Button>
        <p className={styles.buildNote}>
          {isComplete ? describeCost(asks, mayAsk) : 'Choose a run or an import first.'}
        </p>
      </div>
      {error !== null && <Refusal error={error} />}
    </div>
  )
}

function describeCost(asks: DatasetPreview['asks'] | undefined, mayAsk: boolean): string {
  if (!mayAsk || asks === null) return 'No model is asked: it costs nothing.'
  if (asks === undefined) return 'It may ask a model, which costs money.'
  const { endpoint, episodes, model } = asks
  return `Asks ${endpoint}/${model} about up to ${formatCount(episodes)} episodes, which may cost money.`
}
