import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import type { EnvironmentInfo } from '../../../shared/core/contracts/catalogue.ts'
import { LinkButton } from '../../components/button.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Notice } from '../../components/notice.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { showControls } from '../../format/show-controls.ts'
import { api } from '../../service/api.ts'
import { useEnvironments } from '../../service/catalogue.ts'
import { useAddress } from '../../service/use-address.ts'
import { useHoldsSessions } from '../../service/use-holds-sessions.ts'
import { PlayedSession } from './played-session.tsx'
import { StartForm } from './start-form.tsx'

export function TryPage() {
  const { environment = '' } = useParams()
  const environments = useEnvironments()
  const holds = useHoldsSessions()
  return (
    <>
      <PageHeader
        title={`Play ${showControls(environment)} by hand`}
        tab={`Play ${environment}`}
        way={[{ to: '/environments', name: 'Environments' }]}
        lead="You act in a task as an agent does. The trajectory can be saved as an expert’s."
      />
      <Loaded what="the environment" query={environments}>
        {(found) => {
          const known = found.find(({ id }) => id === environment)
          if (known === undefined)
            return (
              <EmptyState
                title="No such environment"
                action={<LinkButton to="/environments">All environments</LinkButton>}
              >
                There is no environment of this name.
              </EmptyState>
            )
          if (holds === false)
            return (
              <Notice tone="warn">
                This service holds no sessions for people. Play the task on a service of one machine:{' '}
                <code>espalier serve</code>.
              </Notice>
            )
          return <Try environment={known} />
        }}
      </Loaded>
    </>
  )
}

function Try({ environment }: { environment: EnvironmentInfo }) {
  const [address, change] = useAddress()
  const id = address.get('session')
  const go = (session: string | null) =>
    change((now) => {
      if (session === null) now.delete('session')
      else now.set('session', session)
      return now
    })
  if (id === null) return <StartForm environment={environment} onStart={go} />
  return <Session key={id} id={id} onEnd={() => go(null)} />
}

function Session({ id, onEnd }: { id: string; onEnd: () => void }) {
  const session = useQuery({
    queryKey: ['session', id],
    queryFn: () => api.session(id),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  return (
    <Loaded what="the session" query={session}>
      {(found) => <PlayedSession session={found} onEnd={onEnd} />}
    </Loaded>
  )
}
