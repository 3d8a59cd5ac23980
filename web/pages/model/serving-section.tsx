import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { JsonObject } from '../../../shared/core/contracts/json.ts'
import type { ModelServer, ServeRequest } from '../../../shared/core/contracts/model-server.ts'
import type { RegisteredModel } from '../../../shared/core/contracts/registered-model.ts'
import { ActionButton } from '../../components/action-button.tsx'
import { ButtonRow } from '../../components/button-row.tsx'
import { fieldErrors } from '../../components/form/field-errors.ts'
import form from '../../components/form/form.module.css'
import { FormDialog } from '../../components/form/form-dialog.tsx'
import { Refusal } from '../../components/form/refusal.tsx'
import { SchemaFields } from '../../components/schema-fields/schema-fields.tsx'
import { findProblems } from '../../components/schema-fields/settle-value.ts'
import { Section } from '../../components/section.tsx'
import { api } from '../../service/api.ts'
import { serveSchema } from './serve-schema.ts'
import { ServerFacts } from './server-facts.tsx'

type Wish = { to: 'serve'; request: ServeRequest } | { to: 'stop' } | { to: 'delete' }

export function ServingSection({ model, server }: { model: RegisteredModel; server: ModelServer | null }) {
  const { id } = model
  const [asking, setAsking] = useState<'serve' | 'delete' | null>(null)
  const [settings, setSettings] = useState<JsonObject>({})
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const change = useMutation({
    mutationFn: async (wish: Wish) => {
      if (wish.to === 'serve') await api.serveModel(id, wish.request)
      else if (wish.to === 'stop') await api.stopModel(id)
      else await api.deleteModel(id)
      return wish.to
    },
    onSuccess: (done) => {
      setAsking(null)
      for (const queryKey of [
        ['model-servers'],
        ['registered-models'],
        ['endpoints'],
        ['catalogue', 'models'],
      ])
        void queryClient.invalidateQueries({ queryKey })
      if (done === 'delete') void navigate('/models')
      else void queryClient.invalidateQueries({ queryKey: ['registered-model', id] })
    },
  })
  const open = (what: 'serve' | 'delete') => {
    change.reset()
    setSettings({})
    setAsking(what)
  }
  const dialog = { change, onClose: () => setAsking(null) }
  return (
    <Section title="Serving">
      <div className={form.stack}>
        {server === null ? (
          <p className="soft">
            It is not served. Serving makes it an endpoint that runs can ask; its server starts with the first
            call and is stopped when it is not used.
          </p>
        ) : (
          <ServerFacts server={server} />
        )}
        <ButtonRow>
          {server === null ? (
            <ActionButton
              kind="primary"
              refusal={null}
              isBusy={change.isPending}
              onClick={() => open('serve')}
            >
              Serve …
            </ActionButton>
          ) : (
            <ActionButton
              refusal={null}
              isBusy={change.isPending}
              onClick={() => change.mutate({ to: 'stop' })}
            >
              Stop serving
            </ActionButton>
          )}
          <ActionButton
            kind="danger"
            refusal={server === null ? null : 'The model is served: stop that first.'}
            isBusy={change.isPending}
            onClick={() => open('delete')}
          >
            Delete …
          </ActionButton>
        </ButtonRow>
        {change.isError && asking === null && <Refusal error={change.error} />}
      </div>
      <FormDialog
        {...dialog}
        title="Serve the model"
        action="Serve"
        isOpen={asking === 'serve'}
        isComplete={Object.keys(findProblems(serveSchema, settings)).length === 0}
        onSubmit={() => change.mutate({ to: 'serve', request: settings as ServeRequest })}
      >
        <SchemaFields
          schema={serveSchema}
          value={settings}
          onChange={setSettings}
          errors={fieldErrors(change.error)('')}
        />
      </FormDialog>
      <FormDialog
        {...dialog}
        title="Delete this model?"
        action="Delete the model"
        kind="danger"
        isOpen={asking === 'delete'}
        onSubmit={() => change.mutate({ to: 'delete' })}
      >
        <p>
          Its weights are removed for good. A model that is trained from, or the parent of another, is kept.
        </p>
      </FormDialog>
    </Section>
  )
}
