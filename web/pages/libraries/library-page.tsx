import { useParams } from 'react-router'
import { LearnedPage } from '../../components/learned/learned-page.tsx'
import { api } from '../../service/api.ts'
import { LibraryActions } from './library-actions.tsx'

export function LibraryPage() {
  const { library: id = '' } = useParams()
  return (
    <LearnedPage
      id={id}
      name="Library"
      title="Actions for"
      list={{ to: '/libraries', name: 'Libraries' }}
      read={api.library}
    >
      {(library) => <LibraryActions library={library} />}
    </LearnedPage>
  )
}
