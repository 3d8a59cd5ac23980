import { useState } from 'react'
import type { JsonObject } from '../../../shared/core/contracts/json.ts'
import { Button } from '../button.tsx'
import { ForeignText } from '../foreign-text.tsx'
import styles from './dataset-row.module.css'

export function RawRow({ data }: { data: JsonObject }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <div className={styles.rawRow}>
      <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'Hide the row as in its file' : 'Show the row as in its file'}
      </Button>
      {isOpen && <ForeignText text={JSON.stringify(data, null, 2)} />}
    </div>
  )
}
