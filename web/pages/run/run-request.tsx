import type { Run } from '../../../shared/core/contracts/run.ts'
import { ForeignText } from '../../components/foreign-text.tsx'
import { Section } from '../../components/section.tsx'
import { showControls } from '../../format/show-controls.ts'
import { requestFacts } from './request-facts.ts'
import styles from './run-page.module.css'

const shortText = 200

const manyFacts = 12

const isLong = ({ value }: { value: string }) => value.length > shortText

export function RunRequest({ run }: { run: Run }) {
  return (
    <Section title="Request">
      <div className={styles.requestGroups}>
        {requestFacts(run).map(({ title, facts }) => (
          <section
            key={title}
            className={
              facts.some(isLong)
                ? styles.requestWide
                : facts.length > manyFacts
                  ? styles.requestMany
                  : undefined
            }
          >
            <h3>{title}</h3>
            <dl className={styles.requestFacts}>
              {facts.map(({ name, value }) => (
                <div key={name}>
                  <dt dir="auto">{showControls(name)}</dt>
                  {isLong({ value }) ? (
                    <dd>
                      <ForeignText text={value} />
                    </dd>
                  ) : (
                    <dd dir="auto">{showControls(value)}</dd>
                  )}
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Section>
  )
}
