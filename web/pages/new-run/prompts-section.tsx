import type { MethodInfo, PromptInfo } from '../../../shared/core/contracts/catalogue.ts'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { FoldedSection } from '../../components/folded-section.tsx'
import form from '../../components/form/form.module.css'
import type { FormPart } from '../../components/form/use-request-form.ts'
import styles from './new-run-page.module.css'
import type { RunDraft } from './run-draft.ts'

export function PromptsSection({
  draft,
  onChange,
  errors,
  method,
}: FormPart<RunDraft> & { method: MethodInfo }) {
  const replaced = Object.keys(draft.prompts).length
  const set = (id: string, text: string | undefined) => {
    const { [id]: _, ...rest } = draft.prompts
    onChange({ ...draft, prompts: text === undefined ? rest : { ...rest, [id]: text } })
  }
  return (
    <FoldedSection
      title="Prompts"
      state={replaced === 0 ? 'the method’s own' : `${replaced} of the run’s own`}
      hasErrors={Object.keys(errors('prompts')).length > 0}
    >
      <div className={styles.prompts}>
        {method.prompts.map((prompt) => (
          <Prompt
            key={prompt.id}
            prompt={prompt}
            text={draft.prompts[prompt.id]}
            error={errors('prompts')[prompt.id]}
            onChange={(text) => set(prompt.id, text)}
          />
        ))}
      </div>
    </FoldedSection>
  )
}

function Prompt({
  prompt: { id, purpose, slots, text: own },
  text,
  error,
  onChange,
}: {
  prompt: PromptInfo
  text: string | undefined
  error: string | undefined
  onChange: (text: string | undefined) => void
}) {
  return (
    <details>
      <summary>
        <code>{id}</code> <span className="soft">{text === undefined ? purpose : 'replaced'}</span>
      </summary>
      <div className={form.stack}>
        <Field
          label={purpose}
          hint={
            slots.length === 0
              ? 'Nothing is filled in.'
              : `Filled in where it stands: ${slots.map((slot) => `{{${slot}}}`).join(', ')}`
          }
          error={error}
        >
          {(field) => (
            <textarea
              {...field}
              rows={Math.min(16, own.split('\n').length + 2)}
              dir="auto"
              spellCheck={false}
              className={styles.prompt}
              value={text ?? own}
              onChange={({ target }) => onChange(target.value === own ? undefined : target.value)}
            />
          )}
        </Field>
        <p>
          <Button disabled={text === undefined} onClick={() => onChange(undefined)}>
            Back to the method’s own
          </Button>
        </p>
      </div>
    </details>
  )
}
