import { sections } from 'virtual:guide'
import { Link } from 'react-router'
import { PageHeader } from '../../components/page-header.tsx'
import styles from './guide-content.module.css'

/** For an address of the guide that leads to no page. */
export function UnknownGuidePage({ name }: { name: string }) {
  return (
    <div>
      <PageHeader title="No such page" tab="No such page, guide" />
      <div className={styles.content}>
        <p>
          The guide has no page <code>{name}</code>. It has these:
        </p>
        <ul>
          {sections.flatMap(({ pages }) =>
            pages.map((page) => (
              <li key={page.name}>
                <Link to={`/guide/${page.name}`}>{page.title}</Link>
              </li>
            )),
          )}
        </ul>
      </div>
    </div>
  )
}
