import { PageHeader } from '../../components/page-header.tsx'

export function NewDatasetPage() {
  return <PageHeader title="New dataset" tab="New dataset" />
}
