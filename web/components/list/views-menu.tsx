import { X } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { useAddress } from '../../service/use-address.ts'
import { Button } from '../button.tsx'
import { IconButton } from '../icon-button.tsx'
import { Menu } from '../menu.tsx'
import styles from './list.module.css'

const key = 'espalier-views'

// Named views of a list: filters, order, columns and widths, which are all in the address. This browser keeps the names.
export function ViewsMenu({ list }: { list: string }) {
  const [address] = useAddress()
  const [views, setViews] = useState(() => readViews(list))
  const query = viewQuery(address)
  function keep(next: readonly SavedView[]) {
    setViews(next)
    localStorage.setItem(key, JSON.stringify({ ...parseViews(localStorage.getItem(key)), [list]: next }))
  }
  return (
    <Menu label="Views" isAtEnd>
      <div>
        <p className={styles.soft}>
          The address holds this view: its filters, order, columns and widths. Send it, or keep it under a
          name in this browser.
        </p>
        <form
          className={styles.keep}
          onSubmit={(event) => {
            event.preventDefault()
            const name = String(new FormData(event.currentTarget).get('name')).trim()
            if (name === '') return
            // Another tab may have kept views meanwhile.
            keep(withView(readViews(list), { name, query }))
            event.currentTarget.reset()
          }}
        >
          <input name="name" aria-label="Name of this view" placeholder="a name" maxLength={80} />
          <Button type="submit">Keep this view</Button>
        </form>
      </div>
      {views.length > 0 && (
        <div>
          <ul className={styles.views} aria-label="Kept views">
            {views.map((view) => (
              <li key={view.name}>
                <Link
                  to={{ search: view.query }}
                  dir="auto"
                  aria-current={view.query === query ? 'true' : undefined}
                >
                  {view.name}
                </Link>
                <IconButton
                  label={`Forget ${view.name}`}
                  onClick={() => keep(withoutView(readViews(list), view.name))}
                >
                  <X size={16} aria-hidden />
                </IconButton>
              </li>
            ))}
          </ul>
        </div>
      )}
    </Menu>
  )
}

function readViews(list: string): readonly SavedView[] {
  // Without storage, as in a private window that forbids it, there are no kept views.
  if (typeof localStorage === 'undefined') return []
  return parseViews(localStorage.getItem(key))[list] ?? []
}

interface SavedView {
  name: string
  query: string
}

type SavedViewsByList = Readonly<Record<string, readonly SavedView[]>>

const mostViews = 50
const longestName = 80

// Reads the kept views. Anything else that the browser has under the key is left out.
export function parseViews(text: string | null): SavedViewsByList {
  let kept: unknown
  try {
    kept = JSON.parse(text ?? '{}')
  } catch {
    return {}
  }
  if (typeof kept !== 'object' || kept === null) return {}
  return Object.fromEntries(
    Object.entries(kept).map(([list, views]) => [list, Array.isArray(views) ? views.filter(isView) : []]),
  )
}

function isView(view: unknown): view is SavedView {
  return (
    typeof view === 'object' &&
    view !== null &&
    'name' in view &&
    typeof view.name === 'string' &&
    'query' in view &&
    typeof view.query === 'string'
  )
}

// A view of the same name is replaced; beyond the maximum the oldest is dropped.
export function withView(views: readonly SavedView[], { name, query }: SavedView): SavedView[] {
  const short = name.trim().slice(0, longestName)
  return [...withoutView(views, short), { name: short, query }].slice(-mostViews)
}

export function withoutView(views: readonly SavedView[], name: string): SavedView[] {
  return views.filter((view) => view.name !== name)
}

// The query of the shown view. Runs that are chosen for a comparison are not a part of it.
export function viewQuery(address: URLSearchParams): string {
  const query = new URLSearchParams(address)
  query.delete('chosen')
  return query.toString()
}
