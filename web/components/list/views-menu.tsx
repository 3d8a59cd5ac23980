import { X } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { useAddress } from '../../service/use-address.ts'
import { Button } from '../button.tsx'
import { IconButton } from '../icon-button.tsx'
import { Menu } from '../menu.tsx'
import styles from './list.module.css'
import { parseViews, type SavedView, viewQuery, withoutView, withView } from './saved-view.ts'

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
