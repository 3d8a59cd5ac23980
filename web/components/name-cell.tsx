import { Link } from 'react-router'
import { showControls } from '../format/show-controls.ts'
import styles from './table.module.css'

export function NameCell({ id, name, to }: { id: string; name: string | null; to: string }) {
  return (
    <td className={styles.nameCell}>
      <Link to={to} dir="auto" className={name === null ? 'identifier' : styles.nameCellTitle}>
        {showControls(name ?? id)}
      </Link>
      {name !== null && <div className="identifier">{id}</div>}
    </td>
  )
}
