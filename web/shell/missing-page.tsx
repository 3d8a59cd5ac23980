import { Link } from 'react-router'
import { EmptyState } from '../components/empty-state.tsx'

export function MissingPage() {
  return (
    <EmptyState title="There is no such page" action={<Link to="/runs">To the runs</Link>}>
      The address leads nowhere. It may have been mistyped, or be from another version.
    </EmptyState>
  )
}
