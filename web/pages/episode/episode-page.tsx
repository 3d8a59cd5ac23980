import { PageHeader } from '../../components/page-header.tsx'

export function EpisodePage() {
  return <PageHeader title="Episode" tab="Episode" />
}
