import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { formatBytes } from '../../../shared/core/client/format-quantity.ts'
import type { ModelFile, RegisteredModel } from '../../../shared/core/contracts/registered-model.ts'
import { LinkButton } from '../../components/button.tsx'
import { Column } from '../../components/column.tsx'
import { HeaderLine } from '../../components/header-line.tsx'
import { lineageOf } from '../../components/lineage/lineage-of.ts'
import { LineageSection } from '../../components/lineage/lineage-section.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Section } from '../../components/section.tsx'
import { Table } from '../../components/table.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { requestAddress } from '../../format/request-address.ts'
import { showControls } from '../../format/show-controls.ts'
import { api } from '../../service/api.ts'
import { useModelServers } from '../../service/model-servers.ts'
import { ModelFacts } from './model-facts.tsx'
import { ServingSection } from './serving-section.tsx'

const way = [{ to: '/models', name: 'Models' }]

export function ModelPage() {
  const { model: id = '' } = useParams()
  const model = useQuery({ queryKey: ['registered-model', id], queryFn: () => api.registeredModel(id) })
  const found = model.data
  return (
    <>
      <PageHeader
        way={way}
        title={<span dir="auto">{showControls(found?.name ?? id)}</span>}
        tab={found?.name ?? 'Model'}
        lead={
          found && (
            <HeaderLine>
              <span>{found.format} weights</span>
              <span>
                registered <TimeAgo at={found.created_at} />
              </span>
              <code>{id}</code>
            </HeaderLine>
          )
        }
        actions={
          found && (
            <LinkButton to={requestAddress('/trainings/new', { base: { registered: id } })}>
              Train from it
            </LinkButton>
          )
        }
      />
      <Loaded what="the model" query={model}>
        {(shown) => <Sections model={shown} />}
      </Loaded>
    </>
  )
}

function Sections({ model }: { model: RegisteredModel }) {
  const servers = useModelServers()
  const lineage = useQuery({
    queryKey: ['model-lineage', model.id],
    queryFn: () => api.modelLineage(model.id),
  })
  return (
    <>
      <Loaded what="how it is served" query={servers}>
        {(all) => <ServingSection model={model} server={all.find(({ id }) => id === model.id) ?? null} />}
      </Loaded>
      <ModelFacts model={model} childModels={lineage.data?.children ?? []} />
      <Loaded what="the lineage" query={lineage}>
        {({ steps }) => (
          <LineageSection
            lineage={lineageOf(
              steps.map((step, place) => ({
                model: { id: step.model, name: step.name },
                training: step.training,
                start: startOf(step.base, steps[place + 1]),
                datasets: step.datasets,
                runs: step.runs,
              })),
            )}
          />
        )}
      </Loaded>
      <ModelFiles files={model.files} />
    </>
  )
}

function startOf(
  base: RegisteredModel['base'],
  parent: { model: string; name: string } | undefined,
): { id: string; name: string } | null {
  if (parent !== undefined) return { id: parent.model, name: parent.name }
  return base === null ? null : { id: 'hub' in base ? base.hub : base.folder, name: 'base from outside' }
}

function ModelFiles({ files }: { files: readonly ModelFile[] }) {
  return (
    <Section title="Files" isFlush>
      <Table label="Files">
        <thead>
          <tr>
            <Column>File</Column>
            <Column isNumber>Size</Column>
            <Column>SHA-256</Column>
          </tr>
        </thead>
        <tbody>
          {files.map(({ bytes, name, sha256 }) => (
            <tr key={name}>
              <td dir="auto">{name}</td>
              <td className="number">{formatBytes(bytes)}</td>
              <td>
                <code>{sha256}</code>
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Section>
  )
}
