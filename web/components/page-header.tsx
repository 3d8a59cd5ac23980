import { type ReactNode, useEffect } from 'react'
import { Link } from 'react-router'
import { showControls } from '../format/show-controls.ts'
import styles from './layout.module.css'

/** The head of a page: breadcrumbs, title and actions. It also sets the browser tab's title. */
export function PageHeader({
  title,
  tab,
  way = [],
  lead,
  actions,
}: {
  title: ReactNode
  /** The tab's title, for a `title` that is more than text. */
  tab: string
  /** The pages above this one. */
  way?: { to: string; name: string }[]
  lead?: ReactNode
  actions?: ReactNode
}) {
  useEffect(() => {
    document.title = `${showControls(tab)} · Espalier`
  }, [tab])

  return (
    <header className={styles.pageHeader}>
      <div className={styles.pageHeaderText}>
        {way.length > 0 && (
          <nav aria-label="Way" className={styles.pageHeaderWay}>
            {way.map(({ to, name }) => (
              <span key={to}>
                <Link to={to}>{name}</Link>
              </span>
            ))}
          </nav>
        )}
        <h1>{title}</h1>
        {lead && <div className={styles.pageHeaderLead}>{lead}</div>}
      </div>
      {actions && <div className={styles.pageHeaderActions}>{actions}</div>}
    </header>
  )
}
