import { Link } from 'react-router'
import { formatBytes, formatCount, noNumber } from '../../../shared/core/client/format-quantity.ts'
import type { ModelServer } from '../../../shared/core/contracts/model-server.ts'
import type { RegisteredModel } from '../../../shared/core/contracts/registered-model.ts'
import { Column } from '../../components/column.tsx'
import { NameCell } from '../../components/name-cell.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { Table } from '../../components/table.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { modelAddress, trainingAddress } from '../../format/addresses.ts'
import { countOf } from '../../format/count-of.ts'
import { showControls } from '../../format/show-controls.ts'

export function ModelsTable({
  models,
  servers,
}: {
  models: readonly RegisteredModel[]
  servers: readonly ModelServer[]
}) {
  return (
    <Table isFramed label="Registered models">
      <thead>
        <tr>
          <Column>Model</Column>
          <Column>Made from</Column>
          <Column>Weights</Column>
          <Column isNumber hint="Tokens of prompt and answer together">
            Context
          </Column>
          <Column>Served as</Column>
          <Column>Registered</Column>
        </tr>
      </thead>
      <tbody>
        {models.map((model) => (
          <Row key={model.id} model={model} server={servers.find(({ id }) => id === model.id)} />
        ))}
      </tbody>
    </Table>
  )
}

function Row({ model, server }: { model: RegisteredModel; server: ModelServer | undefined }) {
  const { bytes, context_length, created_at, format, id, name, remote } = model
  return (
    <tr>
      <NameCell id={id} name={name} to={modelAddress(id)} />
      <td>
        <Origin model={model} />
      </td>
      <td>
        {format}
        <div className="soft">{remote === null ? formatBytes(bytes) : showControls(remote.trainer)}</div>
      </td>
      <td className="number">{context_length === null ? noNumber : formatCount(context_length)}</td>
      <td>
        {server === undefined ? (
          noNumber
        ) : (
          <>
            <StatusBadge status={server.state} />
            <div className="soft" dir="auto">
              {showControls(server.endpoint)}
            </div>
          </>
        )}
      </td>
      <td>
        <TimeAgo at={created_at} />
      </td>
    </tr>
  )
}

function Origin({ model: { base, datasets, parent, training } }: { model: RegisteredModel }) {
  const start =
    parent !== null ? (
      <>
        from{' '}
        <Link to={modelAddress(parent)} className="identifier">
          {parent}
        </Link>
      </>
    ) : base !== null ? (
      <span dir="auto">from {showControls('hub' in base ? base.hub : base.folder)}</span>
    ) : null
  return (
    <>
      {training === null ? (
        'registered from files'
      ) : (
        <Link to={trainingAddress(training)} className="identifier">
          {training}
        </Link>
      )}
      <div className="soft">
        {start}
        {datasets.length > 0 && <> {countOf(datasets.length, 'dataset')}</>}
      </div>
    </>
  )
}
