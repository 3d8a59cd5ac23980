import { Fragment } from 'react'
import { Dialog } from '../../components/dialog.tsx'
import { Table } from '../../components/table.tsx'

const keys: [string[], string][] = [
  [['←', '→'], 'to the parent, to the most visited child'],
  [['↑', '↓'], 'to the node above, below on its level'],
  [['Home'], 'to the root'],
  [['b'], 'to the answer'],
  [['Space'], 'collapse or open the node; on the map a double click does the same'],
  [['Enter'], 'go to the panel of the node'],
  [['Esc'], 'close the panel'],
  [['f'], 'fit the whole tree into the frame'],
  [['+', '−'], 'zoom in, out'],
  [['/'], 'find'],
  [['n', 'N'], 'the next match, the previous one'],
  [[',', '.'], 'one step of the search back, on'],
  [['?'], 'these keys'],
]

export function KeysDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Dialog title="Keys" isOpen={isOpen} onClose={onClose}>
      <Table label="Keys of the tree explorer">
        <thead>
          <tr>
            <th scope="col">Key</th>
            <th scope="col">What it does</th>
          </tr>
        </thead>
        <tbody>
          {keys.map(([names, what]) => (
            <tr key={what}>
              <td>
                {names.map((name) => (
                  <Fragment key={name}>
                    <kbd>{name}</kbd>{' '}
                  </Fragment>
                ))}
              </td>
              <td>{what}</td>
            </tr>
          ))}
        </tbody>
      </Table>
      <p>In the outline the arrow keys go up and down through what is shown, open and collapse.</p>
    </Dialog>
  )
}
