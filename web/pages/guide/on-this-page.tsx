import { Link } from 'react-router'
import type { GuideHeading } from './guide-types.ts'
import styles from './on-this-page.module.css'

/** The headings of a page; beside it where there is room. */
export function OnThisPage({ headings }: { headings: GuideHeading[] }) {
  return (
    <nav aria-label="On this page" className={styles.list}>
      {headings.length > 1 && (
        <>
          <p className={styles.title}>On this page</p>
          <ul>
            {headings.map(({ id, text, level }) => (
              <li key={id} className={level === 3 ? styles.deeper : undefined}>
                <Link to={`#${id}`}>{text}</Link>
              </li>
            ))}
          </ul>
        </>
      )}
    </nav>
  )
}
