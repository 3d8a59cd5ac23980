import type { DatasetKindInfo } from '../../../shared/core/contracts/dataset.ts'
import styles from '../../components/form/form.module.css'
import { SourcePicker } from '../../components/form/source-picker.tsx'
import type { FormPart } from '../../components/form/use-request-form.ts'
import { Loaded } from '../../components/loaded.tsx'
import { Section } from '../../components/section.tsx'
import { withField } from '../../format/with-field.ts'
import { useSources } from '../../service/use-sources.ts'
import type { DatasetDraft } from './dataset-draft.ts'
import { importChoice, offeredRuns } from './source-choices.ts'

export function SourcesSection({
  draft,
  onChange,
  errors,
  kind,
}: FormPart<DatasetDraft> & { kind: DatasetKindInfo | undefined }) {
  const { imports, runs } = useSources()
  const { experts = [], runs: chosenRuns = [], trajectories = [] } = draft
  const runChoices = offeredRuns(runs.data?.data ?? [])
  const importChoices = imports.data?.data.map(importChoice) ?? []
  const named = new Set([...chosenRuns, ...trajectories])
  const faults = errors('')
  return (
    <Section title="Made from">
      <div className={styles.stack}>
        <Loaded what="the runs" query={runs}>
          {({ has_more }) => (
            <SourcePicker
              name="Runs"
              hint="Play training tasks for data: rows of tasks that are held out for evaluation are kept out."
              choices={runChoices.filter(({ id }) => !experts.includes(id))}
              chosen={chosenRuns}
              isCut={has_more}
              error={faults.runs}
              onChange={(ids) => onChange(withField(draft, 'runs', ids))}
            />
          )}
        </Loaded>
        <Loaded what="the imports" query={imports}>
          {({ data, has_more }) =>
            data.length === 0 && trajectories.length === 0 ? (
              <p className="soft">
                Trajectories from elsewhere come in by <code>espalier import</code>, and are offered here
                then.
              </p>
            ) : (
              <SourcePicker
                name="Imported trajectories"
                choices={importChoices.filter(({ id }) => !experts.includes(id))}
                chosen={trajectories}
                isCut={has_more}
                error={faults.trajectories}
                onChange={(ids) => onChange(withField(draft, 'trajectories', ids))}
              />
            )
          }
        </Loaded>
        {(kind?.uses_experts === true || experts.length > 0) && (
          <SourcePicker
            name="Experts"
            hint="Runs or imports whose trajectories are preferred where they are better."
            choices={[...importChoices, ...runChoices].filter(({ id }) => !named.has(id))}
            chosen={experts}
            isCut={runs.data?.has_more === true || imports.data?.has_more === true}
            error={faults.experts}
            onChange={(ids) => onChange(withField(draft, 'experts', ids))}
          />
        )}
      </div>
    </Section>
  )
}
