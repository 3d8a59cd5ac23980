import { PageHeader } from '../../components/page-header.tsx'
import { EndpointForm } from './endpoint-form.tsx'

export function NewEndpointPage() {
  return (
    <>
      <PageHeader
        title="Add an endpoint"
        tab="Add an endpoint"
        way={[{ to: '/endpoints', name: 'Endpoints' }]}
        lead="For the operator of the service: an endpoint is every tenant’s. Runs can name it at once."
      />
      <EndpointForm endpoint={null} />
    </>
  )
}
