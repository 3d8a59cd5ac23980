import type { NodeDetail, StateChange } from '../../../shared/core/contracts/node-detail.ts'
import { LongText } from '../../components/long-text.tsx'
import { Table } from '../../components/table.tsx'
import { shortText } from '../../format/short-text.ts'
import { PanelPart } from './panel-part.tsx'

const mostChanges = 200

export function NodeState({
  detail: { state, state_changes: changes, state_note: note },
}: {
  detail: NodeDetail
}) {
  return (
    <>
      {changes !== null && (
        <PanelPart title="What the action changed" note={changes.length} isOpen={changes.length <= 20}>
          {changes.length === 0 ? (
            <p className="soft">Nothing in the state.</p>
          ) : (
            <Changes changes={changes} />
          )}
        </PanelPart>
      )}
      {state !== null && (
        <PanelPart title="State of the environment">
          <LongText label="State" text={JSON.stringify(state, null, 2)} />
        </PanelPart>
      )}
      {note !== null && (
        <PanelPart title="State of the environment" note="not known">
          <p className="soft">{note}</p>
        </PanelPart>
      )}
    </>
  )
}

function Changes({ changes }: { changes: readonly StateChange[] }) {
  return (
    <>
      <Table label="Changes of the state">
        <thead>
          <tr>
            <th scope="col">Where</th>
            <th scope="col">Before</th>
            <th scope="col">After</th>
          </tr>
        </thead>
        <tbody>
          {changes.slice(0, mostChanges).map(({ type, path, before, after }) => (
            <tr key={path.join('\u0000')} data-type={type}>
              <td>
                <span className="soft">{type}</span> <bdi>{shortText(path.join(' › '), 160)}</bdi>
              </td>
              <td>{before !== undefined && <bdi>{shortText(JSON.stringify(before), 200)}</bdi>}</td>
              <td>{after !== undefined && <bdi>{shortText(JSON.stringify(after), 200)}</bdi>}</td>
            </tr>
          ))}
        </tbody>
      </Table>
      {changes.length > mostChanges && (
        <p className="soft">{changes.length - mostChanges} more are not shown.</p>
      )}
    </>
  )
}
