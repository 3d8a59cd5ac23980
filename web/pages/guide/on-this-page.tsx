import { Link } from 'react-router'
import styles from './guide-page.module.css'
import type { GuideHeading } from './guide-types.ts'

/** The headings of a page; beside it where there is room. */
export function OnThisPage({ headings }: { headings: GuideHeading[] }) {
  return (
    <nav aria-label="On this page" className={styles.onThisPage}>
      {headings.length > 1 && (
        <>
          <p className={styles.onThisPageTitle}>On this page</p>
          <ul>
            {headings.map(({ id, text, level }) => (
              <li key={id} className={level === 3 ? styles.onThisPageDeeper : undefined}>
                <Link to={`#${id}`}>{text}</Link>
              </li>
            ))}
          </ul>
        </>
      )}
    </nav>
  )
}
