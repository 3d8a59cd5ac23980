import type { PresetInfo } from '../../../shared/core/contracts/preset.ts'
import { Field } from '../../components/field.tsx'
import form from '../../components/form/form.module.css'
import type { FormPart } from '../../components/form/use-request-form.ts'
import { Section } from '../../components/section.tsx'
import { usePresets } from '../../service/catalogue.ts'
import type { RunDraft } from './run-draft.ts'

export function PresetSection({
  draft,
  errors,
  onChoose,
}: Pick<FormPart<RunDraft>, 'draft' | 'errors'> & { onChoose: (preset: PresetInfo | undefined) => void }) {
  const presets = usePresets().data ?? []
  const chosen = presets.find(({ id }) => id === draft.preset)
  const deviations = (chosen?.deviations ?? []).filter(
    ({ environments }) => environments?.includes(draft.environment) ?? true,
  )
  return (
    <Section title="Preset">
      <div className={form.stack}>
        <Field
          label={<span className="visually-hidden">Preset</span>}
          hint="A paper’s settings in one word, for the environment below. What is changed there is listed with the run; what is emptied there is the paper’s again."
          error={errors('').preset}
        >
          {(field) => (
            <select
              {...field}
              value={draft.preset}
              onChange={({ target }) => onChoose(presets.find(({ id }) => id === target.value))}
            >
              <option value="">none</option>
              {presets.map(({ id, title }) => (
                <option key={id} value={id}>
                  {id}: {title}
                </option>
              ))}
            </select>
          )}
        </Field>
        {chosen !== undefined && (
          <>
            <p className="soft">
              {chosen.paper}. {chosen.source}
            </p>
            <ul>
              {deviations.map(({ text }) => (
                <li key={text}>{text}</li>
              ))}
            </ul>
          </>
        )}
      </div>
    </Section>
  )
}
