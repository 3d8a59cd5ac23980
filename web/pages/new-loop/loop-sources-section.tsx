import styles from '../../components/form/form.module.css'
import { SourcePicker } from '../../components/form/source-picker.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Section } from '../../components/section.tsx'
import { withField } from '../../format/with-field.ts'
import { useSources } from '../../service/use-sources.ts'
import { importChoice, offeredRuns } from '../new-dataset/source-choices.ts'
import type { LoopFormPart } from './loop-recipe-section.tsx'

export function LoopSourcesSection({ draft, onChange, errors }: LoopFormPart) {
  const { imports, runs } = useSources()
  const { experts = [], general = [] } = draft
  return (
    <Section title="Experts and general conversations">
      <div className={styles.stack}>
        <Loaded what="the runs" query={runs}>
          {(ofRuns) => (
            <Loaded what="the imports" query={imports}>
              {(ofImports) => (
                <>
                  <SourcePicker
                    name="Experts"
                    hint="Runs or imported trajectories at training tasks."
                    choices={[...ofImports.data.map(importChoice), ...offeredRuns(ofRuns.data)]}
                    chosen={experts}
                    isCut={ofRuns.has_more || ofImports.has_more}
                    error={errors('').experts}
                    onChange={(ids) => onChange(withField(draft, 'experts', ids))}
                  />
                  {(ofImports.data.length > 0 || general.length > 0) && (
                    <SourcePicker
                      name="General conversations"
                      hint="Imported conversations that are mixed in, by the setting general_share."
                      choices={ofImports.data.map(importChoice).filter(({ id }) => !experts.includes(id))}
                      chosen={general}
                      isCut={ofImports.has_more}
                      error={errors('').general}
                      onChange={(ids) => onChange(withField(draft, 'general', ids))}
                    />
                  )}
                </>
              )}
            </Loaded>
          )}
        </Loaded>
      </div>
    </Section>
  )
}
