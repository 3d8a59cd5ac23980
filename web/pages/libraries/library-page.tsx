import { PageHeader } from '../../components/page-header.tsx'

export function LibraryPage() {
  return <PageHeader title="Library" tab="Library" />
}
