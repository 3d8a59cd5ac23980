import { sections } from 'virtual:guide'
import { useEffect, useRef } from 'react'
import { Link, useParams, useSearchParams } from 'react-router'
import { Field } from '../../components/field.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { SearchInput } from '../../components/search-input.tsx'
import { GuideArticle } from './guide-article.tsx'
import content from './guide-content.module.css'
import { GuideFindings } from './guide-findings.tsx'
import styles from './guide-page.module.css'

export function GuidePage() {
  const names = sections.flatMap(({ pages }) => pages.map(({ name }) => name))
  const { page: name = names[0] ?? '' } = useParams()
  const [search, setSearch] = useSearchParams()
  const query = search.get('q') ?? ''

  function searchFor(words: string) {
    setSearch(words === '' ? {} : { q: words }, { replace: true })
  }

  return (
    <div className={styles.guide}>
      <GuideNavigation current={query === '' ? name : null} query={query} onSearch={searchFor} />
      {query !== '' ? (
        <GuideFindings query={query} />
      ) : names.includes(name) ? (
        <GuideArticle key={name} name={name} />
      ) : (
        <UnknownGuidePage name={name} />
      )}
    </div>
  )
}

function UnknownGuidePage({ name }: { name: string }) {
  return (
    <div>
      <PageHeader title="No such page" tab="No such page, guide" />
      <div className={content.content}>
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

function GuideNavigation({
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
