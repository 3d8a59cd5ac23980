import { useParams } from 'react-router'
import { LearnedPage } from '../../components/learned/learned-page.tsx'
import { api } from '../../service/api.ts'
import { MemoryNotes } from './memory-notes.tsx'

export function MemoryPage() {
  const { memory: id = '' } = useParams()
  return (
    <LearnedPage
      id={id}
      name="Memory"
      title="Notes on"
      list={{ to: '/memories', name: 'Memories' }}
      read={api.memory}
    >
      {(memory) => <MemoryNotes memory={memory} />}
    </LearnedPage>
  )
}
