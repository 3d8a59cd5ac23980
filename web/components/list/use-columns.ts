import { useMemo, useState } from 'react'
import { useAddress } from '../../service/use-address.ts'
import {
  type ColumnView,
  columnSizes,
  type ListedColumn,
  readColumnView,
  shownColumns,
  writeColumnView,
} from './column-view.ts'

export interface Columns<Column extends ListedColumn> {
  all: readonly Column[]
  shown: readonly Column[]
  view: ColumnView
  // Pixels of each shown column; null if the browser divides the room.
  sizes: readonly number[] | null
  change: (part: Partial<ColumnView>) => void
  // Shows widths while the pointer drags; `change` then stores them.
  drag: (widths: ColumnView['widths']) => void
}

export function useColumns<Column extends ListedColumn>(columns: readonly Column[]): Columns<Column> {
  const [address, setAddress] = useAddress()
  const text = address.toString()
  // A draft lasts until the address has its widths: an address that changes with each move would be blocked.
  const [draft, setDraft] = useState<{ of: string; widths: ColumnView['widths'] } | null>(null)
  const stored = readColumnView(address)
  const view = draft?.of === text ? { ...stored, widths: draft.widths } : stored
  const hidden = [...view.hidden].join(',')
  // Rows are drawn again only if this list changes.
  const shown = useMemo(
    () => shownColumns(columns, { hidden: new Set(hidden.split(',')) }),
    [columns, hidden],
  )
  return {
    all: columns,
    shown,
    view,
    sizes: columnSizes(shown, view.widths),
    change: (part) => setAddress((now) => writeColumnView(now, { ...readColumnView(now), ...part })),
    drag: (widths) => setDraft({ of: text, widths }),
  }
}
