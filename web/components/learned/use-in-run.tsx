import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { Library } from '../../../shared/core/contracts/library.ts'
import type { Memory } from '../../../shared/core/contracts/memory.ts'
import { runAddress } from '../../format/addresses.ts'
import { cliCommand } from '../../format/cli-command.ts'
import { runName } from '../../format/run-name.ts'
import { runQuery } from '../../service/run-query.ts'
import { CodeBlock } from '../code-block.tsx'
import { Section } from '../section.tsx'
import styles from './learned.module.css'
import { useReaders } from './use-readers.ts'

const ways = {
  library: {
    parameter: 'library',
    methods: 'learnact or code-as-policy',
    outcome: 'The run then plays with these actions, and learns none of its own.',
  },
  memory: {
    parameter: 'memory_from',
    methods: 'reflexion or rmcts',
    outcome:
      'A run of reflexion then plays with these notes and writes none; one of rmcts begins with them, and adds its own.',
  },
} as const

export function UseInRun({
  item: { complete, environment, id, method, object, run },
}: {
  item: Memory | Library
}) {
  const { methods, outcome, parameter } = ways[object]
  const writer = useQuery(runQuery(run))
  const readers = useReaders({ id, environment, parameter })
  const model = writer.data?.request.model
  const command = cliCommand(
    {
      environment,
      tasks: { split: 'test', limit: 20 },
      method: { id: method, [parameter]: id },
      ...(model && { model: { endpoint: model.endpoint, id: model.id } }),
    },
    location.origin,
  )
  return (
    <Section title="In another run">
      <p className={styles.useInRun}>
        {complete ? 'Name it' : 'Once its run has ended, name it'} as the parameter <code>{parameter}</code>{' '}
        of {methods}, in the same environment. {outcome}
      </p>
      <CodeBlock label={`A run that uses this ${object}`} text={command} />
      {readers.length > 0 && (
        <p className={styles.useInRun}>
          Runs that were given it:{' '}
          {readers.map((reader, place) => (
            <span key={reader.id}>
              {place > 0 && ', '}
              <Link to={runAddress(reader.id)}>
                <bdi>{runName(reader)}</bdi>
              </Link>
            </span>
          ))}
        </p>
      )}
    </Section>
  )
}
