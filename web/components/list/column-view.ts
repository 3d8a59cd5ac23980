import { withEntry } from '../../format/with-entry.ts'

export interface ListedColumn {
  name: string
  hint?: string
  isNumber?: boolean
  // Its heading is for screen readers alone, and it is always shown.
  isUnseen?: boolean
  isKept?: boolean
  // Usual width in rem, for a table whose columns have widths of their own.
  width: number
}

export interface ColumnView {
  hidden: ReadonlySet<string>
  // In pixels, by the column's id. Empty: the browser divides the room.
  widths: ReadonlyMap<string, number>
}

const leastWidth = 40
const mostWidth = 1200

const mostColumns = 50

export function columnId({ name }: Pick<ListedColumn, 'name'>): string {
  return name.toLowerCase().replaceAll(' ', '-')
}

export function clampWidth(width: number): number {
  return Math.round(Math.min(mostWidth, Math.max(leastWidth, width)))
}

export function readColumnView(address: URLSearchParams): ColumnView {
  const listed = (name: string) => (address.get(name) ?? '').split(',').slice(0, mostColumns)
  const widths = listed('widths').flatMap((text) => {
    const [, id, width] = /^([a-z-]+)\.(\d{1,5})$/.exec(text) ?? []
    return id === undefined ? [] : [[id, clampWidth(Number(width))] as const]
  })
  return {
    hidden: new Set(listed('hide').filter((id) => /^[a-z-]+$/.test(id))),
    widths: new Map(widths),
  }
}

export function writeColumnView(address: URLSearchParams, { hidden, widths }: ColumnView): URLSearchParams {
  const sizes = [...widths].map(([id, width]) => `${id}.${width}`)
  return withEntry(withEntry(address, 'hide', [...hidden].join(',')), 'widths', sizes.join(','))
}

export function shownColumns<Column extends ListedColumn>(
  columns: readonly Column[],
  { hidden }: Pick<ColumnView, 'hidden'>,
): Column[] {
  return columns.filter((column) => column.isKept || column.isUnseen || !hidden.has(columnId(column)))
}

// The width in pixels of each column of a table in which any has a width of its own; null if none has.
export function columnSizes(columns: readonly ListedColumn[], widths: ColumnView['widths']): number[] | null {
  if (!columns.some((column) => widths.has(columnId(column)))) return null
  return columns.map((column) => widths.get(columnId(column)) ?? clampWidth(column.width * 16))
}
