import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import type { Dataset } from '../../../shared/core/contracts/dataset.ts'
import { LinkButton } from '../../components/button.tsx'
import { MadeLine } from '../../components/header-line.tsx'
import { LabelActions } from '../../components/labels/label-actions.tsx'
import { LabelLine } from '../../components/labels/label-line.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { isBuilding } from '../../format/describe-progress.ts'
import { showControls } from '../../format/show-controls.ts'
import { api } from '../../service/api.ts'
import { draftAddress } from '../new-dataset/dataset-draft.ts'
import { BuildSection } from './build-section.tsx'
import { ContentsSection } from './contents-section.tsx'
import { FilesSection, ReadmeSection } from './files-section.tsx'
import { KeptOutSection } from './kept-out-section.tsx'
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
