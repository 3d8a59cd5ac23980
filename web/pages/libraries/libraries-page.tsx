import { PageHeader } from '../../components/page-header.tsx'

export function LibrariesPage() {
  return <PageHeader title="Libraries" tab="Libraries" />
}
