import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import type { Dataset } from '../../../shared/core/contracts/dataset.ts'
import { leftOutReasons } from '../../../shared/core/contracts/left-out-reasons.ts'
import { LinkButton } from '../../components/button.tsx'
import { MadeLine } from '../../components/header-line.tsx'
import { GateTable, LeftOutTable } from '../../components/kept-out.tsx'
import { LabelActions } from '../../components/labels/label-actions.tsx'
import { LabelLine } from '../../components/labels/label-line.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Section } from '../../components/section.tsx'
import { isBuilding } from '../../format/describe-progress.ts'
import { showControls } from '../../format/show-controls.ts'
import { api } from '../../service/api.ts'
import { draftAddress } from '../new-dataset/dataset-draft.ts'
import { BuildSection } from './build-section.tsx'
import { ContentsSection } from './contents-section.tsx'
import styles from './dataset-page.module.css'
import { FilesSection, ReadmeSection } from './files-section.tsx'
import { MadeFromSection } from './made-from-section.tsx'
import { RowsSection } from './rows-section.tsx'

const way = [{ to: '/datasets', name: 'Datasets' }]

export function DatasetPage() {
  const { dataset: id = '' } = useParams()
  const dataset = useQuery({
    queryKey: ['dataset', id],
    queryFn: () => api.dataset(id),
    refetchInterval: ({ state }) => (state.data !== undefined && isBuilding(state.data) ? 2000 : false),
  })
  const found = dataset.data
  return (
    <>
      <PageHeader
        way={way}
        title={<span dir="auto">{showControls(found?.name ?? id)}</span>}
        tab={found?.name ?? 'Dataset'}
        lead={
          found && (
            <>
              <MadeLine of={found}>
                {found.request.kind} for {found.request.format}
              </MadeLine>
              <LabelLine labels={found} />
            </>
          )
        }
        actions={
          found && (
            <>
              <LinkButton to={draftAddress(found.request)}>Build another like it</LinkButton>
              <LabelActions
                what="dataset"
                id={found.id}
                labels={found}
                openReason={isBuilding(found) ? 'The dataset is being built. Wait until it has ended.' : null}
              />
            </>
          )
        }
      />
      <Loaded what="the dataset" query={dataset}>
        {(shown) => <Sections dataset={shown} />}
      </Loaded>
    </>
  )
}

function Sections({ dataset }: { dataset: Dataset }) {
  const isBuilt = dataset.status === 'succeeded'
  return (
    <>
      {(!isBuilt || dataset.annotation_run !== null) && <BuildSection dataset={dataset} />}
      {isBuilt && (
        <>
          <ContentsSection dataset={dataset} />
          {dataset.rows > 0 && <RowsSection dataset={dataset} />}
        </>
      )}
      {(isBuilt || Object.keys(dataset.left_out).length > 0) && <KeptOutSection dataset={dataset} />}
      {isBuilt && (
        <>
          <FilesSection dataset={dataset} />
          <ReadmeSection dataset={dataset} />
        </>
      )}
      <MadeFromSection dataset={dataset} />
    </>
  )
}

function KeptOutSection({ dataset: { gates, left_out, status } }: { dataset: Dataset }) {
  const isLeft = Object.keys(left_out).length > 0
  return (
    <Section title="What is kept out">
      <div className={styles.keptOutTables}>
        {Object.keys(gates).length > 0 && (
          <div>
            <h3>Rows, by the gate that stopped them</h3>
            <p className="soft">
              A row passes the gates in this order; what one drops, the later ones do not see.
            </p>
            <GateTable gates={gates} />
          </div>
        )}
        <div>
          <h3>Episodes that gave no row, by reason</h3>
          {isLeft ? (
            <LeftOutTable counts={left_out} words={leftOutReasons} />
          ) : (
            <p className="soft">{status === 'succeeded' ? 'Every episode gave a row.' : 'None so far.'}</p>
          )}
        </div>
      </div>
    </Section>
  )
}
