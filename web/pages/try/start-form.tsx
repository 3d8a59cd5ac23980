import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { EnvironmentInfo } from '../../../shared/core/contracts/catalogue.ts'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import form from '../../components/form/form.module.css'
import { Refusal } from '../../components/form/refusal.tsx'
import { Section } from '../../components/section.tsx'
import { shortText } from '../../format/short-text.ts'
import { showControls } from '../../format/show-controls.ts'
import { api } from '../../service/api.ts'

const most = 200

export function StartForm({
  environment: { id: environment, splits },
  onStart,
}: {
  environment: EnvironmentInfo
  onStart: (session: string) => void
}) {
  const client = useQueryClient()
  const suggestions = useId()
  const [split, setSplit] = useState(Object.keys(splits)[0] ?? '')
  const [task, setTask] = useState<string | null>(null)
  const [seed, setSeed] = useState('0')
  const tasks = useQuery({
    queryKey: ['tasks', environment, split],
    queryFn: () => api.tasks(environment, { limit: most, ...(split !== '' && { split }) }),
    staleTime: 5 * 60_000,
  })
  const known = (tasks.data?.data ?? []).filter(({ lacks }) => lacks === undefined)
  const chosen = task ?? known[0]?.id ?? ''
  const described = known.find(({ id }) => id === chosen)
  const starting = useMutation({
    mutationFn: () => api.startSession({ environment, task: chosen, seed: Number(seed) }),
    onSuccess: (session) => {
      client.setQueryData(['session', session.id], session)
      onStart(session.id)
    },
  })
  return (
    <Section title="A task">
      <form
        className={form.stack}
        onSubmit={(event) => {
          event.preventDefault()
          if (!starting.isPending) starting.mutate()
        }}
      >
        <Field label="Split">
          {(field) => (
            <select
              {...field}
              value={split}
              onChange={({ target }) => {
                setSplit(target.value)
                setTask(null)
              }}
            >
              {Object.keys(splits).map((name) => (
                <option key={name} value={name}>
                  {showControls(name)}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field
          label="Task"
          hint={
            described === undefined
              ? 'Any task of the environment, by its id.'
              : shortText(described.description, 300)
          }
        >
          {(field) => (
            <>
              <input
                {...field}
                list={suggestions}
                value={chosen}
                required
                onChange={({ target }) => setTask(target.value)}
              />
              <datalist id={suggestions}>
                {known.map(({ description, id }) => (
                  <option key={id} value={id}>
                    {shortText(description, 80)}
                  </option>
                ))}
              </datalist>
            </>
          )}
        </Field>
        <Field label="Seed" hint="The same seed starts the task alike.">
          {(field) => (
            <input
              {...field}
              type="number"
              min={0}
              max={2_147_483_647}
              step={1}
              required
              value={seed}
              onChange={({ target }) => setSeed(target.value)}
            />
          )}
        </Field>
        <div>
          <Button kind="primary" type="submit" disabled={starting.isPending || chosen === ''}>
            {starting.isPending ? 'Starting …' : 'Start'}
          </Button>
        </div>
        <div role="status">
          {starting.isPending &&
            'A host of the environment starts, if none has a place. That can take a minute.'}
        </div>
        {starting.isError && <Refusal error={starting.error} />}
      </form>
    </Section>
  )
}
