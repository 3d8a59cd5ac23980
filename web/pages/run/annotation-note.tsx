import { Link } from 'react-router'
import { annotatedDataset } from '../../../shared/contracts/annotated-dataset.ts'
import type { Run } from '../../../shared/contracts/run.ts'
import { Section } from '../../components/section.tsx'
import { datasetAddress } from '../../format/addresses.ts'

/** What a run is for that plays no task: its answers become rows of a dataset. */
export function AnnotationNote({ run }: { run: Run }) {
  const dataset = annotatedDataset(run) ?? ''
  return (
    <Section title="For a dataset">
      <p>
        This run plays no task. It asks a model what the dataset{' '}
        <Link to={datasetAddress(dataset)}>{dataset}</Link> needs of episodes of other runs,{' '}
        {String(run.request.method.kind)} rows by {run.request.method.id}. Its own episodes have no reward, so
        it has no report; it is paid for, capped, paused and resumed like any other run.
      </p>
    </Section>
  )
}
