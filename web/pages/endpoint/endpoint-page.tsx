import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import type { EndpointDetail } from '../../../shared/core/contracts/endpoint.ts'
import type { JsonObject } from '../../../shared/core/contracts/json.ts'
import { ActionButton } from '../../components/action-button.tsx'
import { DefinitionList, Fact } from '../../components/definition-list.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { FormDialog } from '../../components/form/form-dialog.tsx'
import { HeaderLine } from '../../components/header-line.tsx'
import { JsonText } from '../../components/json-text.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Section } from '../../components/section.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { modelAddress } from '../../format/addresses.ts'
import { nameOrigin } from '../../format/describe-endpoint.ts'
import { showControls } from '../../format/show-controls.ts'
import { api } from '../../service/api.ts'
import { useEndpointDetails } from '../../service/endpoint-details.ts'
import { EndpointTest } from '../endpoints/endpoint-test.tsx'
import { EndpointForm } from './endpoint-form.tsx'

const way = [{ to: '/endpoints', name: 'Endpoints' }]

export function EndpointPage() {
  const { endpoint: id = '' } = useParams()
  const endpoints = useEndpointDetails()
  const found = endpoints.data?.find((each) => each.id === id)
  return (
    <>
      <PageHeader
        way={way}
        title={<span dir="auto">{showControls(id)}</span>}
        tab={id}
        lead={
          found && (
            <HeaderLine>
              <StatusBadge status={found.ready ? 'ready' : 'not ready'} />
              <span>{found.kind}</span>
              <span>{nameOrigin(found.origin)}</span>
            </HeaderLine>
          )
        }
        actions={found?.origin === 'api' && <RemoveButton endpoint={found} />}
      />
      <Loaded what="the endpoint" query={endpoints}>
        {() =>
          found === undefined ? (
            <EmptyState title="No such endpoint">
              <p>
                There is no endpoint of this name. <Link to="/endpoints">All endpoints</Link>
              </p>
            </EmptyState>
          ) : (
            <Sections endpoint={found} />
          )
        }
      </Loaded>
    </>
  )
}

function Sections({ endpoint }: { endpoint: EndpointDetail }) {
  const { configuration, id, note, origin } = endpoint
  return (
    <>
      <Section title="Does it answer?">
        {note !== null && <p className="soft">{showControls(note)}</p>}
        <EndpointTest endpoint={id} />
      </Section>
      {origin === 'api' ? (
        <EndpointForm endpoint={endpoint} />
      ) : (
        <Section title="Configuration">
          <DefinitionList>
            {Object.entries(configuration as unknown as JsonObject).map(([name, value]) => (
              <Fact
                key={name}
                name={<code>{name}</code>}
                value={
                  configuration.kind === 'served' && name === 'model' ? (
                    <Link to={modelAddress(configuration.model)}>{configuration.model}</Link>
                  ) : (
                    <JsonText of={value} />
                  )
                }
              />
            ))}
          </DefinitionList>
          <p className="soft">
            {origin === 'served'
              ? 'It goes when its model is no longer served.'
              : 'It is changed where it is configured, and read at the next start of the service.'}
          </p>
        </Section>
      )}
    </>
  )
}

function RemoveButton({ endpoint: { id } }: { endpoint: EndpointDetail }) {
  const [isOpen, setOpen] = useState(false)
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const removing = useMutation({
    mutationFn: () => api.removeEndpoint(id),
    onSuccess: async () => {
      await navigate('/endpoints')
      for (const queryKey of [['endpoints'], ['catalogue', 'models']])
        void queryClient.invalidateQueries({ queryKey })
    },
  })
  return (
    <>
      <ActionButton
        kind="danger"
        refusal={null}
        isBusy={removing.isPending}
        onClick={() => {
          removing.reset()
          setOpen(true)
        }}
      >
        Remove …
      </ActionButton>
      <FormDialog
        title="Remove this endpoint?"
        action="Remove the endpoint"
        kind="danger"
        change={removing}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        onSubmit={() => removing.mutate()}
      >
        <p>Runs that ask it pause; they go on when it is added again and they are resumed.</p>
      </FormDialog>
    </>
  )
}
