import { PageHeader } from '../../components/page-header.tsx'

export function ComparePage() {
  return <PageHeader title="Compare" tab="Compare" />
}
