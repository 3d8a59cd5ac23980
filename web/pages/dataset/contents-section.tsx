import { formatBytes, formatCount, noNumber } from '../../../shared/core/client/format-quantity.ts'
import type { Dataset } from '../../../shared/core/contracts/dataset.ts'
import { Column } from '../../components/column.tsx'
import { InlineCode } from '../../components/inline-code.tsx'
import { Notice } from '../../components/notice.tsx'
import { Section } from '../../components/section.tsx'
import { Stat, Stats } from '../../components/stat.tsx'
import { Table } from '../../components/table.tsx'
import { countOf } from '../../format/count-of.ts'
import styles from './dataset-page.module.css'

export function ContentsSection({ dataset }: { dataset: Dataset }) {
  const { files, pictures, rows, splits, tokens, warnings } = dataset
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  const tasks = Object.values(splits).reduce((sum, split) => sum + split.tasks, 0)
  return (
    <Section title="What is in it">
      <div className={styles.contents}>
        <Stats>
          <Stat name="Rows" note={`of ${countOf(tasks, 'task')}`}>
            {formatCount(rows)}
          </Stat>
          <Stat name="Tokens" note={tokens && `counted by ${tokens.tokenizer}`}>
            {tokens === null ? noNumber : formatCount(tokens.total)}
          </Stat>
          <Stat name="Longest row" note="tokens">
            {tokens === null ? noNumber : formatCount(tokens.longest)}
          </Stat>
          <Stat name="Mean row" note="tokens">
            {tokens === null || rows === 0 ? noNumber : formatCount(tokens.total / rows)}
          </Stat>
          <Stat name="Size" note={`${countOf(files.length, 'file')}, packed`}>
            {formatBytes(bytes)}
          </Stat>
          {pictures && pictures.rows_without > 0 && (
            <Stat name="Pictures left out" note={`of ${countOf(pictures.rows_without, 'row')}`}>
              {formatCount(pictures.left_out)}
            </Stat>
          )}
          {pictures && pictures.rows > 0 && (
            <Stat
              name="Pictures"
              note={`in ${countOf(pictures.rows, 'row')}, ${formatBytes(pictures.bytes)}`}
            >
              {formatCount(pictures.files)}
            </Stat>
          )}
        </Stats>
        {warnings.map((warning) => (
          <Notice key={warning} tone="warn">
            <span dir="auto">
              <InlineCode text={warning} />
            </span>
          </Notice>
        ))}
        {dataset.request.splits !== undefined && <SplitsTable dataset={dataset} />}
      </div>
    </Section>
  )
}

function SplitsTable({ dataset: { request, rows, splits } }: { dataset: Dataset }) {
  return (
    <Table label="Rows and tasks by split">
      <thead>
        <tr>
          <Column>Split</Column>
          <Column isNumber>Rows</Column>
          <Column isNumber>Tasks</Column>
          <Column isNumber>Share of the tasks asked for</Column>
          <Column isNumber>Share of the rows</Column>
        </tr>
      </thead>
      <tbody>
        {Object.entries(splits).map(([name, split]) => (
          <tr key={name}>
            <td>{name}</td>
            <td className="number">{formatCount(split.rows)}</td>
            <td className="number">{formatCount(split.tasks)}</td>
            <td className="number">{percent(request.splits?.[name] ?? null)}</td>
            <td className="number">{percent(rows === 0 ? null : split.rows / rows)}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

function percent(share: number | null): string {
  return share === null ? noNumber : `${Math.round(share * 1000) / 10} %`
}
