import { PageHeader } from '../../components/page-header.tsx'

export function DatasetPage() {
  return <PageHeader title="Dataset" tab="Dataset" />
}
