import { LinkButton } from '../components/button.tsx'
import { PageHeader } from '../components/page-header.tsx'

export function MissingPage() {
  return (
    <PageHeader
      title="There is no such page"
      tab="No such page"
      lead="There is nothing at this address. It may have been mistyped, or be from another version."
      actions={<LinkButton to="/runs">To the runs</LinkButton>}
    />
  )
}
