import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { formatCount } from '../../../shared/core/client/format-quantity.ts'
import type { JsonObject } from '../../../shared/core/contracts/json.ts'
import type { ModelServer, ServeRequest } from '../../../shared/core/contracts/model-server.ts'
import type { RegisteredModel } from '../../../shared/core/contracts/registered-model.ts'
import { ActionButton } from '../../components/action-button.tsx'
import { ButtonRow } from '../../components/button-row.tsx'
import { DefinitionList, Fact } from '../../components/definition-list.tsx'
import { fieldErrors } from '../../components/form/field-errors.ts'
import form from '../../components/form/form.module.css'
import { FormDialog } from '../../components/form/form-dialog.tsx'
import { serveSchema } from '../../components/form/form-schemas.ts'
import { Refusal } from '../../components/form/refusal.tsx'
import { LongText } from '../../components/long-text.tsx'
import { Notice } from '../../components/notice.tsx'
import { SchemaFields } from '../../components/schema-fields/schema-fields.tsx'
import { findProblems } from '../../components/schema-fields/settle-value.ts'
import { Section } from '../../components/section.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { endpointAddress } from '../../format/addresses.ts'
import { showControls } from '../../format/show-controls.ts'
import { api } from '../../service/api.ts'

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

function ServerFacts({ server }: { server: ModelServer }) {
  const { address, driver, endpoint, log_tail, note, restarts, settings, state, used_at } = server
  // A remote service manages its own server of the model.
  const isOurs = driver !== 'remote'
  return (
    <>
      {note !== null && (
        <Notice tone={state === 'failed' ? 'bad' : 'info'}>
          <span dir="auto">{showControls(note)}</span>
        </Notice>
      )}
      <DefinitionList>
        <Fact name="State" value={<StatusBadge status={state} />} />
        <Fact name="Endpoint" value={<Link to={endpointAddress(endpoint)}>{showControls(endpoint)}</Link>} />
        <Fact name="Served by" value={driver} />
        <Fact name="Listens at" value={address} isShown={address !== null} />
        <Fact name="Calls side by side" value={settings.slots} isShown={isOurs} />
        <Fact
          name="Context"
          value={settings.context === undefined ? 'of the model' : `${formatCount(settings.context)} tokens`}
          isShown={isOurs}
        />
        <Fact name="Accelerator" value={settings.accelerator} isShown={settings.accelerator !== undefined} />
        <Fact name="Stopped after" value={`${settings.idle_minutes} min without a call`} isShown={isOurs} />
        <Fact name="Started again" value={`${restarts} times`} isShown={isOurs} />
        <Fact
          name="Last used"
          value={used_at !== null && <TimeAgo at={used_at} />}
          isShown={used_at !== null}
        />
      </DefinitionList>
      {log_tail.length > 0 && <LongText label="The server’s last lines" text={log_tail.join('\n')} />}
    </>
  )
}
