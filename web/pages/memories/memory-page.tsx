import { PageHeader } from '../../components/page-header.tsx'

export function MemoryPage() {
  return <PageHeader title="Memory" tab="Memory" />
}
