import { PageHeader } from '../../components/page-header.tsx'

export function DatasetsPage() {
  return <PageHeader title="Datasets" tab="Datasets" />
}
