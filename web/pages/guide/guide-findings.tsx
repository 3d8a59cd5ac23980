import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { EmptyState } from '../../components/empty-state.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import styles from './guide-page.module.css'
import { mostFindings, searchGuide } from './search-guide.ts'

export function GuideFindings({ query }: { query: string }) {
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
