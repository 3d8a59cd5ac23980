import { Plus } from 'lucide-react'
import { Link } from 'react-router'
import { noNumber } from '../../../shared/core/client/format-quantity.ts'
import type { EndpointDetail } from '../../../shared/core/contracts/endpoint.ts'
import { LinkButton } from '../../components/button.tsx'
import { Column } from '../../components/column.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { Table } from '../../components/table.tsx'
import { endpointAddress, modelAddress } from '../../format/addresses.ts'
import { addressesIn, nameOrigin } from '../../format/describe-endpoint.ts'
import { showControls } from '../../format/show-controls.ts'
import { useEndpointDetails } from '../../service/endpoint-details.ts'
import { EndpointTest } from './endpoint-test.tsx'

export function EndpointsPage() {
  const endpoints = useEndpointDetails()
  return (
    <>
      <PageHeader
        title="Endpoints"
        tab="Endpoints"
        lead="Where models answer: services with an API, models that are served here, and the simulated model."
        actions={
          <LinkButton kind="primary" to="/new-endpoint">
            <Plus size={16} aria-hidden /> Add an endpoint
          </LinkButton>
        }
      />
      <Loaded what="the endpoints" query={endpoints}>
        {(found) => <EndpointsTable endpoints={found} />}
      </Loaded>
    </>
  )
}

function EndpointsTable({ endpoints }: { endpoints: readonly EndpointDetail[] }) {
  return (
    <Table isFramed label="Endpoints">
      <thead>
        <tr>
          <Column>Endpoint</Column>
          <Column>Kind</Column>
          <Column>Address or model</Column>
          <Column>Models with prices</Column>
          <Column>Ready</Column>
          <Column>One small question</Column>
        </tr>
      </thead>
      <tbody>
        {endpoints.map((endpoint) => (
          <Row key={endpoint.id} endpoint={endpoint} />
        ))}
      </tbody>
    </Table>
  )
}

function Row({ endpoint }: { endpoint: EndpointDetail }) {
  const { configuration, id, kind, models, note, origin, ready } = endpoint
  return (
    <tr>
      <td>
        <Link to={endpointAddress(id)} dir="auto">
          {showControls(id)}
        </Link>
      </td>
      <td>
        {kind}
        <div className="soft">{nameOrigin(origin)}</div>
      </td>
      <td>
        {configuration.kind === 'served' ? (
          <Link to={modelAddress(configuration.model)} className="identifier">
            {configuration.model}
          </Link>
        ) : (
          addressesIn(configuration).map((address) => (
            <div key={address}>
              <code>{address}</code>
            </div>
          ))
        )}
      </td>
      <td dir="auto">{models.length === 0 ? noNumber : showControls(models.join(', '))}</td>
      <td>
        <StatusBadge status={ready ? 'ready' : 'not ready'} />
        {note !== null && <div className="soft">{showControls(note)}</div>}
      </td>
      <td>
        <EndpointTest endpoint={id} isShort />
      </td>
    </tr>
  )
}
