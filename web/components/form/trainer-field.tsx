import type { TrainerInfo } from '../../../shared/core/contracts/training.ts'
import { Field } from '../field.tsx'

export function TrainerField({
  trainer = 'local',
  trainers,
  error,
  onChange,
}: {
  trainer: string | undefined
  trainers: readonly TrainerInfo[]
  error: string | undefined
  onChange: (trainer: string) => void
}) {
  const chosen = trainers.find(({ id }) => id === trainer)
  return (
    <Field label="Trainer" hint={chosen?.description ?? null} error={error}>
      {(field) => (
        <select {...field} value={trainer} onChange={({ target }) => onChange(target.value)}>
          {chosen === undefined && <option>{trainer}</option>}
          {trainers.map(({ id }) => (
            <option key={id}>{id}</option>
          ))}
        </select>
      )}
    </Field>
  )
}
