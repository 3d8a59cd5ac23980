import { PageHeader } from '../../components/page-header.tsx'

export function NewRunPage() {
  return <PageHeader title="New run" tab="New run" />
}
