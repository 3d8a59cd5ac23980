import { PageHeader } from '../../components/page-header.tsx'

export function GuidePage() {
  return <PageHeader title="Guide" tab="Guide" />
}
