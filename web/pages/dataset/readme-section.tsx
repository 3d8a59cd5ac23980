import { useQuery } from '@tanstack/react-query'
import type { Dataset } from '../../../shared/contracts/dataset.ts'
import { ForeignText } from '../../components/foreign-text.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Section } from '../../components/section.tsx'
import { api } from '../../service/api.ts'
import styles from './dataset-page.module.css'

/** What the README begins with, for Hugging Face alone. */
const frontMatter = /^---\n.*?\n---\n+/s

/** How each trainer loads the dataset: its README, as it is in the folder. */
export function ReadmeSection({ dataset: { id } }: { dataset: Dataset }) {
  const readme = useQuery({
    queryKey: ['dataset', id, 'readme'],
    queryFn: () => api.datasetReadme(id),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <Section title="How to load it" aside="README.md beside the data, without its front matter">
      <section className={styles.readme} aria-label="README.md" tabIndex={0}>
        <Loaded what="the README" query={readme}>
          {(text) => <ForeignText text={text.replace(frontMatter, '')} />}
        </Loaded>
      </section>
    </Section>
  )
}
