import { FoldedSection } from '../../components/folded-section.tsx'
import form from '../../components/form/form.module.css'
import { LabelFields } from '../../components/labels/label-fields.tsx'
import { readTags } from '../../components/labels/typed-labels.ts'
import type { FormPart } from './form-part.ts'

export function LabelsSection({ draft, onChange, errors }: FormPart) {
  const { experiment, note, tags } = draft
  const wrong = errors('')
  const hasErrors = ['experiment', 'tags', 'note'].some((name) => wrong[name] !== undefined)
  const set = [experiment.trim(), ...readTags(tags), note.trim() && 'a note'].filter((each) => each !== '')
  return (
    <FoldedSection title="Labels" state={set.join(' · ') || 'none'} hasErrors={hasErrors}>
      <div className={form.stack}>
        <LabelFields labels={draft} errors={wrong} onChange={(change) => onChange({ ...draft, ...change })} />
      </div>
    </FoldedSection>
  )
}
