import { useState } from 'react'
import type { JsonObject } from '../../../shared/core/contracts/json.ts'
import { Field } from '../../components/field.tsx'
import styles from '../../components/form/form.module.css'
import { gatesSchema } from '../../components/form/form-schemas.ts'
import type { FormPart } from '../../components/form/use-request-form.ts'
import { SchemaFields } from '../../components/schema-fields/schema-fields.tsx'
import { Section } from '../../components/section.tsx'
import { withField } from '../../format/with-field.ts'
import type { DatasetDraft } from './dataset-draft.ts'
import { readBounds, type ScoreBound, writeBounds } from './score-bounds.ts'

export interface ScoreText {
  text: string
  // Null while the text is invalid.
  bounds: ScoreBound[] | null
  type: (text: string) => ScoreBound[] | null
}

export function useScoreText(start: readonly ScoreBound[] = []): ScoreText {
  const [begun] = useState(start)
  const [text, setText] = useState(() => writeBounds(begun))
  return {
    text,
    bounds: readBounds(text, begun),
    type(next) {
      setText(next)
      return readBounds(next, begun)
    },
  }
}

export function GatesSection({ scores, ...part }: FormPart<DatasetDraft> & { scores: ScoreText }) {
  const { draft, errors, onChange } = part
  return (
    <Section title="Kept out">
      <div className={styles.stack}>
        <p className="soft">
          Rows with a wrong loss mask, rows that the format cannot hold as they are, and rows whose task or
          prompt is also in another split are dropped always. Each row that is dropped is counted.
        </p>
        <SchemaFields
          schema={gatesSchema}
          value={(draft.gates ?? {}) as JsonObject}
          onChange={(gates) => onChange(withField(draft, 'gates', gates))}
          errors={errors('gates')}
        />
        <ScoreBounds {...part} scores={scores} />
      </div>
    </Section>
  )
}

function ScoreBounds({ draft, errors, onChange, scores }: FormPart<DatasetDraft> & { scores: ScoreText }) {
  const wrong = Object.values(errors('scores'))[0] ?? errors('').scores
  return (
    <Field
      label="Scores"
      hint="Episodes without such a score are left out: careful>=0.5, neat."
      error={scores.bounds === null ? 'Write names, with bounds or without: careful>=0.5, neat<=0.2.' : wrong}
    >
      {(field) => (
        <input
          {...field}
          type="text"
          autoComplete="off"
          spellCheck={false}
          value={scores.text}
          onChange={({ target }) => {
            const next = scores.type(target.value)
            if (next !== null) onChange(withField(draft, 'scores', next))
          }}
        />
      )}
    </Field>
  )
}
