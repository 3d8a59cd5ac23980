import { PageHeader } from '../../components/page-header.tsx'

export function MemoriesPage() {
  return <PageHeader title="Memories" tab="Memories" />
}
