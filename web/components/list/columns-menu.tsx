import { useLayoutEffect, useState } from 'react'
import { Button } from '../button.tsx'
import { Menu } from '../menu.tsx'
import { clampWidth, columnId, type ListedColumn } from './column-view.ts'
import styles from './list.module.css'
import { useColumns } from './use-columns.ts'

export function ColumnsMenu({ columns }: { columns: readonly ListedColumn[] }) {
  const { all, change, sizes, view } = useColumns(columns)
  const offered = all.filter(({ isUnseen }) => !isUnseen)
  const isUsual = view.hidden.size === 0 && sizes === null
  return (
    <Menu label="Columns" isAtEnd>
      <div>
        <div className={styles.choices}>
          {offered.map((column) => (
            <Choice
              key={column.name}
              column={column}
              isShown={!view.hidden.has(columnId(column))}
              width={view.widths.get(columnId(column))}
              onShown={(isShown) => {
                const hidden = new Set(view.hidden)
                if (isShown) hidden.delete(columnId(column))
                else hidden.add(columnId(column))
                change({ hidden })
              }}
              onWidth={(width) => {
                const widths = new Map(view.widths)
                if (width === null) widths.delete(columnId(column))
                else widths.set(columnId(column), width)
                change({ widths })
              }}
            />
          ))}
        </div>
      </div>
      <div>
        <Button disabled={isUsual} onClick={() => change({ hidden: new Set(), widths: new Map() })}>
          The usual columns
        </Button>
      </div>
    </Menu>
  )
}

function Choice({
  column: { isKept = false, name },
  isShown,
  width,
  onShown,
  onWidth,
}: {
  column: ListedColumn
  isShown: boolean
  width: number | undefined
  onShown: (isShown: boolean) => void
  onWidth: (width: number | null) => void
}) {
  const stored = String(width ?? '')
  const [typed, setTyped] = useState(stored)
  useLayoutEffect(() => setTyped(stored), [stored])
  function settle() {
    const next = typed.trim() === '' || !Number.isFinite(Number(typed)) ? null : clampWidth(Number(typed))
    setTyped(String(next ?? ''))
    if (next !== (width ?? null)) onWidth(next)
  }
  return (
    <>
      <label>
        <input
          type="checkbox"
          checked={isKept || isShown}
          disabled={isKept}
          onChange={({ target }) => onShown(target.checked)}
        />
        {name}
      </label>
      <input
        type="number"
        step={10}
        placeholder="auto"
        aria-label={`Width of ${name} in pixels`}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        onBlur={settle}
        onKeyDown={({ key }) => {
          if (key === 'Enter') settle()
        }}
      />
    </>
  )
}
