import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { workWord } from '../../../shared/core/client/status-words.ts'
import { asksAModel } from '../../../shared/core/contracts/annotated-dataset.ts'
import type { Run } from '../../../shared/core/contracts/run.ts'
import { AnswerWarnings } from '../../components/answer-warnings.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { runName } from '../../format/run-name.ts'
import { api } from '../../service/api.ts'
import { useRun } from '../../service/use-run.ts'
import { RunPlots } from '../run/run-plots.tsx'
import { RunResults } from '../run/run-results.tsx'
import { EmbedHead } from './embed-head.tsx'

export function EmbeddedRun() {
  const { run: id = '' } = useParams()
  const run = useRun(id)
  return (
    <>
      {run.data === undefined && <EmbedHead title={id} />}
      <Loaded what="the run" query={run}>
        {(found) => <Results run={found} />}
      </Loaded>
    </>
  )
}

function Results({ run }: { run: Run }) {
  const isPlayed = !asksAModel(run)
  const report = useQuery({
    queryKey: ['report', run.id],
    queryFn: () => api.report(run.id),
    enabled: isPlayed,
  })
  return (
    <>
      <EmbedHead title={runName(run)}>
        <StatusBadge status={workWord(run.status)} />
      </EmbedHead>
      <AnswerWarnings warnings={[...run.answer_warnings, ...(run.warnings ?? [])]} />
      {isPlayed ? (
        <RunResults run={run} report={report} />
      ) : (
        <EmptyState title="No results">This run plays no task, so it has no report.</EmptyState>
      )}
      {report.data && <RunPlots run={run} report={report.data} />}
    </>
  )
}
