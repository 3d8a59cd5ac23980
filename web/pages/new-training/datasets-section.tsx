import { useQuery } from '@tanstack/react-query'
import type { TrainingRecipeInfo } from '../../../shared/core/contracts/training.ts'
import styles from '../../components/form/form.module.css'
import { SourcePicker } from '../../components/form/source-picker.tsx'
import type { FormPart } from '../../components/form/use-request-form.ts'
import { Loaded } from '../../components/loaded.tsx'
import { Section } from '../../components/section.tsx'
import { api } from '../../service/api.ts'
import mixing from './new-training-page.module.css'
import {
  type DraftDataset,
  datasetChoice,
  shareProblem,
  type TrainingDraft,
  withDatasets,
} from './training-draft.ts'

const offered = 500

export function DatasetsSection({
  draft,
  onChange,
  errors,
  recipe,
}: FormPart<TrainingDraft> & { recipe: TrainingRecipeInfo | undefined }) {
  const datasets = useQuery({
    queryKey: ['datasets', { limit: offered }],
    queryFn: () => api.datasets({ limit: offered }),
  })
  const problem = shareProblem(draft.datasets)
  const set = (place: number, next: DraftDataset) =>
    onChange({ ...draft, datasets: draft.datasets.with(place, next) })
  return (
    <Section title="Datasets">
      <div className={styles.stack}>
        <Loaded what="the datasets" query={datasets}>
          {({ data, has_more }) => (
            <SourcePicker
              name="Datasets"
              choices={data.map((dataset) => datasetChoice(dataset, recipe))}
              chosen={draft.datasets.map(({ dataset }) => dataset)}
              isCut={has_more}
              error={errors('').datasets ?? errors('datasets').dataset}
              onChange={(ids) => onChange(withDatasets(draft, ids))}
            />
          )}
        </Loaded>
        {draft.datasets.length > 0 && (
          <ol className={mixing.mixed}>
            {draft.datasets.map((each, place) => (
              <li key={each.dataset} className={mixing.mixedDataset}>
                <span className="identifier">{each.dataset}</span>
                <input
                  type="text"
                  aria-label={`Split of ${each.dataset}`}
                  placeholder="train"
                  autoComplete="off"
                  spellCheck={false}
                  value={each.split ?? ''}
                  onChange={({ target }) => {
                    const { split: _, ...rest } = each
                    set(place, target.value === '' ? rest : { ...rest, split: target.value })
                  }}
                />
                <input
                  type="number"
                  aria-label={`Share of ${each.dataset}`}
                  placeholder="all rows"
                  min={0}
                  max={1}
                  step={0.05}
                  value={each.share === undefined || Number.isNaN(each.share) ? '' : each.share}
                  onChange={({ target }) => {
                    const { share: _, ...rest } = each
                    set(place, target.value === '' ? rest : { ...rest, share: target.valueAsNumber })
                  }}
                />
              </li>
            ))}
          </ol>
        )}
        {draft.datasets.length > 1 && (
          <p className="soft">
            A share is which part of the rows of an epoch a dataset gives. Without shares every row of every
            dataset is used once.
          </p>
        )}
        {problem !== null && <p className={styles.error}>{problem}</p>}
      </div>
    </Section>
  )
}
