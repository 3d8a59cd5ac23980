import { sections } from 'virtual:guide'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { Link, useParams, useSearchParams } from 'react-router'
import { EmptyState } from '../../components/empty-state.tsx'
import { Field } from '../../components/field.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { SearchInput } from '../../components/search-input.tsx'
import { GuideArticle } from './guide-article.tsx'
import content from './guide-content.module.css'
import styles from './guide-page.module.css'
import { mostFindings, searchGuide } from './search-guide.ts'

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

function GuideFindings({ query }: { query: string }) {
  const passages = useQuery({
    queryKey: ['guide-search'],
    queryFn: async () => (await import('virtual:guide/search')).passages,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <div className={styles.findings}>
      <PageHeader title="Search" tab="Search the guide" />
      <Loaded what="the guide" query={passages}>
        {(found) => <List findings={searchGuide(found, query)} query={query} />}
      </Loaded>
    </div>
  )
}

function List({ findings, query }: { findings: ReturnType<typeof searchGuide>; query: string }) {
  if (findings.length === 0) {
    return (
      <EmptyState title={`Nothing in the guide has “${query}”`}>
        All words have to be in one part of a page. The reference of the API is at <a href="/docs">/docs</a>.
      </EmptyState>
    )
  }
  return (
    <>
      <p role="status" className={styles.findingsCount}>
        {findings.length === mostFindings ? `The first ${mostFindings} places` : places(findings.length)}
      </p>
      <ol className={styles.findingsList}>
        {findings.map(({ passage: { page, title, heading }, excerpt }) => (
          <li key={`${page}#${heading?.id}`}>
            <Link to={`/guide/${page}${heading === null ? '' : `#${heading.id}`}`}>
              {heading === null ? title : heading.text}
            </Link>
            {heading !== null && <span className="soft"> {title}</span>}
            <p>
              {excerpt.before}
              {excerpt.found !== '' && <mark>{excerpt.found}</mark>}
              {excerpt.after}
            </p>
          </li>
        ))}
      </ol>
    </>
  )
}

function places(count: number): string {
  return count === 1 ? '1 place' : `${count} places`
}
