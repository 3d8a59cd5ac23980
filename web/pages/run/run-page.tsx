import { useParams } from 'react-router'
import { Loaded } from '../../components/loaded.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { showControls } from '../../format/show-controls.ts'
import { useRun } from '../../service/use-run.ts'
import { RunView } from './run-view.tsx'

const way = [{ to: '/runs', name: 'Runs' }]

export function RunPage() {
  const { run: id = '' } = useParams()
  const run = useRun(id)
  return (
    <>
      {run.data === undefined && (
        <PageHeader title={<span dir="auto">{showControls(id)}</span>} tab="Run" way={way} />
      )}
      <Loaded what="the run" query={run}>
        {(found) => <RunView key={id} run={found} refusal={run.error} />}
      </Loaded>
    </>
  )
}
