import { sections } from 'virtual:guide'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { Field } from '../../components/field.tsx'
import { SearchInput } from '../../components/search-input.tsx'
import styles from './guide-page.module.css'

export function GuideNavigation({
  current,
  query,
  onSearch,
}: {
  current: string | null
  query: string
  onSearch: (query: string) => void
}) {
  const navigation = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (current !== null)
      navigation.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [current])
  return (
    <div ref={navigation} className={styles.navigation}>
      <search>
        <Field label="Search the guide">
          {(field) => <SearchInput {...field} placeholder="" value={query} onSettle={onSearch} />}
        </Field>
      </search>
      <nav aria-label="Guide" className={styles.navigationSections}>
        {sections.map(({ title, pages }) => (
          <div key={title}>
            <p className={styles.navigationTitle}>{title}</p>
            <ul>
              {pages.map((page) => (
                <li key={page.name}>
                  <Link to={`/guide/${page.name}`} aria-current={page.name === current ? 'page' : undefined}>
                    {page.title}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
    </div>
  )
}
