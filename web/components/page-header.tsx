import { type ReactNode, useEffect } from 'react'
import { Link } from 'react-router'
import { showControls } from '../format/show-controls.ts'
import styles from './layout.module.css'

export function PageHeader({
  title,
  tab,
  way = [],
  lead,
  actions,
}: {
  title: ReactNode
  tab: string
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
          <nav aria-label="Breadcrumbs">
            <ol className={styles.pageHeaderWay}>
              {way.map(({ to, name }) => (
                <li key={to}>
                  <Link to={to} dir="auto">
                    {showControls(name)}
                  </Link>
                </li>
              ))}
            </ol>
          </nav>
        )}
        <h1>{title}</h1>
        {lead && <div className={styles.pageHeaderLead}>{lead}</div>}
      </div>
      {actions && <div className={styles.pageHeaderActions}>{actions}</div>}
    </header>
  )
}
