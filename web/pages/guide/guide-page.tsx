import { sections } from 'virtual:guide'
import { Link, useParams, useSearchParams } from 'react-router'
import { PageHeader } from '../../components/page-header.tsx'
import { GuideArticle } from './guide-article.tsx'
import content from './guide-content.module.css'
import { GuideFindings } from './guide-findings.tsx'
import { GuideNavigation } from './guide-navigation.tsx'
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
